import { connectionProblems } from '@printyard/protocol/connection-problems'
import { withinBounds } from '@printyard/protocol/number-bounds'
import { PrinterState } from '@printyard/protocol/printer-state'
import { Compile } from 'typebox/compile'

const isPrinterState = Compile(PrinterState)

/** Answers why no printer can be in this state, whatever it sent; null for a possible one. */
export function whyImpossible(said: PrinterState): string | null {
  // Absurd numbers are taken out for all drivers by what shows their pictures.
  const state = withinBounds(said)
  if (!isPrinterState.Check(state)) {
    const [first] = isPrinterState.Errors(state)
    return `${first?.instancePath}: ${first?.message}`
  }
  const { status, run, last_result, progress, layer_num, remaining_time_minutes, problems } = state
  const isRunning = status === 'printing' || status === 'paused'
  if ((run !== null) !== isRunning) return `${status} ${run === null ? 'without a run' : 'with a run'}`
  if (run !== null && last_result !== null) return 'a result although a job runs'
  if (run?.attempt_id || last_result?.run.attempt_id) return 'a driver knows nothing of attempts'
  const counts = [progress, layer_num, remaining_time_minutes].some((count) => count !== null)
  if (counts && run === null) return 'counts of a job although none runs'
  if (remaining_time_minutes === 0) return 'no time left and still a job'
  if (!problems) return 'no list of problems'
  if (new Set(problems.map(({ reason }) => reason)).size < problems.length) return 'a problem twice'
  const unknown = problems.find(({ reason }) => !Object.hasOwn(connectionProblems, reason))
  return unknown ? `a problem with no name: ${unknown.reason}` : null
}
