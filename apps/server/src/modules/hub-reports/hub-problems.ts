import { MOST_PROBLEMS } from '@printyard/protocol/connection-problems'
import type { ReportedProblem } from '@printyard/protocol/reported-problem'

/** More than a slow network and a busy machine can explain. */
const mostSkewMs = 30_000

/** Answers what is wrong with a hub by its heartbeat: what it says, and how far its clock is from ours. */
export function hubProblems(heartbeat: { ts: string; problems?: ReportedProblem[] }, now: Date): ReportedProblem[] {
  const said = heartbeat.problems ?? []
  const skewMs = Date.parse(heartbeat.ts) - now.getTime()
  if (!(Math.abs(skewMs) > mostSkewMs)) return said
  // No figure: each heartbeat would have another one.
  const message = `The clock of the hub is ${skewMs > 0 ? 'ahead of' : 'behind'} that of the service.`
  return [...said.slice(0, MOST_PROBLEMS - 1), { reason: 'hub_clock_skew', message }]
}

/** True when the hub has little or no room to write down what it is told, or to keep files. */
export const isOfStorage = ({ reason }: ReportedProblem) =>
  reason === 'hub_storage_full' || reason === 'hub_storage_low'

/** With the take-over of another machine's connection, for as long as the one that took it lasts: people see it with the hub. */
export function withTakeOver(
  { tookOverAt }: { tookOverAt?: Date | undefined },
  problems: ReportedProblem[],
): ReportedProblem[] {
  if (!tookOverAt) return problems
  const at = tookOverAt.toISOString().slice(0, 16).replace('T', ' ')
  const message = `Another machine connected as this hub at ${at} UTC and took the place of the one before. If the hub was not moved, make a new join code.`
  return [...problems.slice(0, MOST_PROBLEMS - 1), { reason: 'hub_replaced', message }]
}
