//! Questions with the types of their answers.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Failure;

/// A question that a page can ask.
pub trait Ask: DeserializeOwned {
    /// What is kept from one question to the next.
    type Memory;
    /// The answer.
    type Answer: Serialize;
    /// What is reported before the answer.
    type Report: Serialize;

    /// Answers the question.
    fn answer(
        self,
        memory: &mut Self::Memory,
        report: &mut dyn FnMut(&Self::Report),
    ) -> Result<Self::Answer, Failure>;
}

/// What a question reports that reports nothing.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "never"))]
pub enum Nothing {}

/// Lists the questions to one worker: their names as the page writes them, and their types. Makes
/// `Question`, which is any of them, and with the feature `ts` `TypeScript`, which describes them.
macro_rules! questions {
    (
        $(#[$doc:meta])*
        $memory:ty, $typescript:literal { $($(#[$about:meta])* $name:ident($question:ty),)* }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, serde::Deserialize)]
        #[serde(tag = "ask", rename_all = "kebab-case")]
        pub enum Question {
            $($(#[$about])* $name($question),)*
        }

        impl Question {
            /// The answer, in JSON; so are the reports before it.
            pub fn answer(
                self,
                memory: &mut $memory,
                report: &mut dyn FnMut(String),
            ) -> Result<serde_json::Value, $crate::Failure> {
                match self {
                    $(Question::$name(question) => {
                        let answer = $crate::question::Ask::answer(question, memory, &mut |progress| {
                            if let Ok(progress) = serde_json::to_string(progress) {
                                report(progress);
                            }
                        })?;
                        Ok(serde_json::json!(answer))
                    })*
                }
            }
        }

        #[cfg(feature = "ts")]
        impl Question {
            /// Hands on every question: its name, and the types of question, answer and reports.
            pub fn describe(describer: &mut impl $crate::typescript::Describe) {
                describer.worker($typescript);
                $(describer.question::<$question>(stringify!($name));)*
            }
        }
    };
}
pub(crate) use questions;
