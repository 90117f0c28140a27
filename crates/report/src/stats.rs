//! Means and shares with the bounds between which they lie with a probability of 95 %.

use serde::Serialize;
use stoa_engine::matches::Bounded;

/// A normal variable is within this many standard deviations of its mean with a probability of 95 %.
const DEVIATIONS_95: f64 = 1.959_964;

/// A figure as it is written into a report: four digits behind the point say more than is known.
fn rounded(bounded: Bounded) -> Bounded {
    let round = |figure: f64| (figure * 1e4).round() / 1e4;
    Bounded { value: round(bounded.value), low: round(bounded.low), high: round(bounded.high) }
}

/// The mean of some numbers; nothing if there are none. A single number has no bounds but itself.
pub fn mean(numbers: &[f64]) -> Option<Bounded> {
    if numbers.is_empty() {
        return None;
    }
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
    let error = DEVIATIONS_95 * (squares / (count - 1.0).max(1.0) / count).sqrt();
    Some(rounded(Bounded { value: mean, low: mean - error, high: mean + error }))
}

/// The share of `part` in `of`, by Wilson's interval; nothing if there is nothing to share. A half may
/// be counted: draws count half of a win.
pub fn share(part: f64, of: usize) -> Option<Bounded> {
    if of == 0 {
        return None;
    }
    let (count, z2) = (of as f64, DEVIATIONS_95 * DEVIATIONS_95);
    let p = part / count;
    let middle = (p + z2 / (2.0 * count)) / (1.0 + z2 / count);
    let error = DEVIATIONS_95 * (p * (1.0 - p) / count + z2 / (4.0 * count * count)).sqrt()
        / (1.0 + z2 / count);
    let (low, high) = ((middle - error).max(0.0), (middle + error).min(1.0));
    Some(rounded(Bounded { value: p, low: low.min(p), high: high.max(p) }))
}

/// How numbers are spread.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Spread {
    /// The mean.
    pub mean: Bounded,
    /// The lowest, the 5th percentile, the median, the 95th percentile and the highest.
    pub quantiles: [u32; 5],
    /// How many numbers there are in each of the equal ranges between the lowest and the highest.
    pub histogram: Vec<u32>,
    /// How wide each range is.
    pub width: u32,
}

/// How many ranges a histogram has, at most.
const MAX_RANGES: u32 = 24;

impl Spread {
    /// How some numbers are spread; nothing if there are none.
    pub fn of(numbers: &[u32]) -> Option<Spread> {
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable();
        let (lowest, highest) = (*sorted.first()?, *sorted.last()?);
        let quantile = |share: f64| sorted[((sorted.len() - 1) as f64 * share).round() as usize];
        let width = (highest - lowest) / MAX_RANGES + 1;
        let mut histogram = vec![0; ((highest - lowest) / width + 1) as usize];
        for number in &sorted {
            histogram[((number - lowest) / width) as usize] += 1;
        }
        let as_floats: Vec<f64> = sorted.iter().map(|&number| number.into()).collect();
        let quantiles = [lowest, quantile(0.05), quantile(0.5), quantile(0.95), highest];
        Some(Spread { mean: mean(&as_floats)?, quantiles, histogram, width })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_those_of_the_textbooks() {
        let known = mean(&[1.0, 2.0, 3.0, 4.0]).unwrap();
        // The standard deviation is 1.2910, of the mean 0.6455.
        assert_eq!((known.value, known.low, known.high), (2.5, 1.2348, 3.7652));
        assert_eq!(mean(&[]), None);
        assert_eq!(mean(&[7.0]).unwrap().error(), 0.0);
        // Wilson's interval of 8 in 10, as tables give it: 0.4902 to 0.9433.
        let known = share(8.0, 10).unwrap();
        assert_eq!((known.value, known.low, known.high), (0.8, 0.4902, 0.9433));
        assert_eq!(share(0.0, 0), None);
        let never = share(0.0, 100).unwrap();
        assert_eq!((never.value, never.low, never.high), (0.0, 0.0, 0.037));
    }

    #[test]
    fn every_number_is_in_a_range() {
        let numbers: Vec<u32> = (0..500).map(|n| 40 + n * n % 97).collect();
        let spread = Spread::of(&numbers).unwrap();
        assert_eq!(spread.histogram.iter().sum::<u32>(), 500);
        assert!(spread.histogram.len() <= 25);
        let [lowest, low, middle, high, highest] = spread.quantiles;
        assert!(lowest <= low && low <= middle && middle <= high && high <= highest);
        assert_eq!(Spread::of(&[5, 5, 5]).unwrap().histogram, [3]);
        assert_eq!(Spread::of(&[]), None);
    }
}
