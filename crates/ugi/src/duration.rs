//! Times as people write them.

use std::time::Duration;

/// Reads `100ms`, `1.5s` or `1.5`.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 0.001),
        None => (text.strip_suffix('s').unwrap_or(text), 1.0),
    };
    let seconds = number.trim().parse::<f64>().map(|number| number * unit);
    match seconds {
        Ok(seconds) if (0.000_1..=86_400.0).contains(&seconds) => {
            Ok(Duration::from_secs_f64(seconds))
        }
        Ok(_) => Err("a time between 0.1ms and a day".to_owned()),
        Err(_) => Err("write a time such as 100ms or 1.5 (seconds)".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::parse_duration;

    #[test]
    fn times_have_units() {
        let millis = |text| parse_duration(text).map(|time| time.as_millis());
        assert_eq!(millis("100ms"), Ok(100));
        assert_eq!(millis("1.5"), Ok(1500));
        assert_eq!(millis(" 2s "), Ok(2000));
        for bad in ["", "ms", "0", "-1", "NaN", "inf", "1h", "1e99", "100000"] {
            assert!(parse_duration(bad).is_err(), "{bad}");
        }
    }
}
