import { MOST_PROBLEMS } from '@printyard/protocol/connection-problems'
import type { ReportedProblem } from '@printyard/protocol/reported-problem'

/** More than a slow network and a busy machine can explain. */
const mostSkewMs = 30_000

/** What is wrong with a hub by its heartbeat: what it says, and how far its clock is from ours. */
export function hubProblems(heartbeat: { ts: string; problems?: ReportedProblem[] }, now: Date): ReportedProblem[] {
  const said = heartbeat.problems ?? []
  const skewMs = Date.parse(heartbeat.ts) - now.getTime()
  if (!(Math.abs(skewMs) > mostSkewMs)) return said
  // No figure: each heartbeat would have another one.
  const message = `The clock of the hub is ${skewMs > 0 ? 'ahead of' : 'behind'} that of the service.`
  return [...said.slice(0, MOST_PROBLEMS - 1), { reason: 'hub_clock_skew', message }]
}

/** Whether the hub has little or no room to write down what it is told, or to keep files. */
export const isOfStorage = ({ reason }: ReportedProblem) =>
  reason === 'hub_storage_full' || reason === 'hub_storage_low'
