/** Those that the log of rules may be kept to, as they stand in the address. */
export const runOutcomes = ['ran', 'trial', 'counted', 'held'] as const
export type RunOutcome = (typeof runOutcomes)[number]
