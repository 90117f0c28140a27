//! Reads actions and time controls, and refuses fields that do not belong to them.

use serde::de::Error;
use serde::{Deserialize, Deserializer};

use crate::{Action, TimeControl};

/// Reads a tagged enum whose variants have these fields: `Some` of a field that is there. A field that the
/// variant does not have is refused; serde itself ignores it where a variant has no fields at all.
macro_rules! read_variant {
    ($type:ident, $fields:ident, [$($field:ident: $name:literal),*], {$($tag:literal => $read:expr,)+}) => {
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                let mut fields = $fields::deserialize(deserializer)?;
                let read: fn(&mut $fields) -> Result<$type, &'static str> = match fields.kind.as_str() {
                    $($tag => $read,)+
                    other => return Err(D::Error::unknown_variant(other, &[$($tag),+])),
                };
                let value = read(&mut fields).map_err(D::Error::missing_field)?;
                $(if fields.$field.is_some() {
                    let field = $name;
                    let kind = fields.kind;
                    return Err(D::Error::custom(format!("unknown field `{field}` of `{kind}`")));
                })*
                Ok(value)
            }
        }
    };
}

/// The fields of all time controls.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TimeControlFields {
    kind: String,
    initial: Option<u32>,
    increment: Option<u32>,
    days: Option<u32>,
}

read_variant!(TimeControl, TimeControlFields, [initial: "initial", increment: "increment", days: "days"], {
    "clock" => |fields| Ok(TimeControl::Clock {
        initial: fields.initial.take().ok_or("initial")?,
        increment: fields.increment.take().ok_or("increment")?,
    }),
    "days" => |fields| Ok(TimeControl::Days { days: fields.days.take().ok_or("days")? }),
    "unlimited" => |_| Ok(TimeControl::Unlimited),
});

/// The fields of all actions.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ActionFields {
    kind: String,
    ply: Option<usize>,
    #[serde(rename = "move")]
    text: Option<String>,
}

read_variant!(Action, ActionFields, [ply: "ply", text: "move"], {
    "move" => |fields| Ok(Action::Move {
        ply: fields.ply.take().ok_or("ply")?,
        text: fields.text.take().ok_or("move")?,
    }),
    "resign" => |_| Ok(Action::Resign),
    "abort" => |_| Ok(Action::Abort),
    "draw" => |_| Ok(Action::Draw),
    "decline_draw" => |_| Ok(Action::DeclineDraw),
    "takeback" => |_| Ok(Action::Takeback),
    "decline_takeback" => |_| Ok(Action::DeclineTakeback),
    "add_time" => |_| Ok(Action::AddTime),
    "rematch" => |_| Ok(Action::Rematch),
    "decline_rematch" => |_| Ok(Action::DeclineRematch),
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_that_do_not_belong_are_refused() {
        let action = |text: &str| serde_json::from_str::<Action>(text).map_err(|e| e.to_string());
        assert_eq!(action(r#"{"kind":"resign"}"#), Ok(Action::Resign));
        assert!(
            action(r#"{"kind":"resign","why":1}"#).unwrap_err().contains("unknown field `why`")
        );
        assert!(action(r#"{"kind":"draw","ply":1}"#).unwrap_err().contains("unknown field `ply`"));
        assert!(action(r#"{"kind":"move","ply":1}"#).unwrap_err().contains("missing field `move`"));
        assert!(action(r#"{"kind":"sing"}"#).unwrap_err().contains("expected one of `move`"));
        assert!(action(r#"{"ply":1}"#).unwrap_err().contains("missing field `kind`"));
        let control =
            |text: &str| serde_json::from_str::<TimeControl>(text).map_err(|e| e.to_string());
        assert_eq!(control(r#"{"kind":"unlimited"}"#), Ok(TimeControl::Unlimited));
        assert!(control(r#"{"kind":"unlimited","days":3}"#).is_err());
        assert!(control(r#"{"kind":"days","days":3,"initial":60}"#).is_err());
        assert!(control(r#"{"kind":"clock","initial":60}"#).unwrap_err().contains("`increment`"));
        for value in
            [TimeControl::Days { days: 3 }, TimeControl::Clock { initial: 60, increment: 2 }]
        {
            let text = serde_json::to_string(&value).unwrap();
            assert_eq!(control(&text), Ok(value));
        }
    }
}
