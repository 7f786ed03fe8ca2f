/** Something that the service works without, if not as well. */
export interface Outage {
  /** What is missing and what that means, as the rest of a sentence. */
  problem: string
  /** Since when, by the clock of this machine. */
  since: Date
}
