/** What the engine is asked and what it answers, in types that are generated from Rust. */
import type { Thought } from '$lib/worker/questions.generated';

export type * from '$lib/worker/questions.generated';

export const milliseconds = (time: Thought['time']): number => time.secs * 1000 + time.nanos / 1e6;
