/** How a state wants to be seen. Colour and symbol follow from it; the word beside them carries the meaning. */
export type Tone = 'working' | 'waiting' | 'resting' | 'done' | 'trouble' | 'away' | 'unknown'
