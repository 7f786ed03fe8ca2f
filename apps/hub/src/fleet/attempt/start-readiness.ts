import type { CommandArguments } from '@printyard/protocol/commands'
import type { PrinterState } from '@printyard/protocol/printer-state'
import { NotStartedError } from './not-started.ts'

/** True when a picture tells if the printer takes a print; one that is starting up does not yet. */
export function isDecided({ status, run_mark: mark }: PrinterState): boolean {
  if (status === 'idle') return mark !== null
  return status !== 'offline' && status !== 'maintenance'
}

/** @throws NotStartedError unless the printer is idle and its plate carries nothing that was printed since it was cleared. */
export function refuseUnlessReady(state: PrinterState, plateMark: CommandArguments<'print'>['run_mark']): void {
  const { status, status_reason: reason, run_mark: mark } = state
  if (status === 'offline') throw new NotStartedError('PRINTER_UNREACHABLE', 'the printer does not answer')
  if (status === 'error') throw new NotStartedError('PRINTER_ERROR', reason ?? 'the printer is in error')
  if (status !== 'idle' || state.run)
    throw new NotStartedError('PRINTER_BUSY', 'the printer is busy with something else')
  if (mark === null)
    throw new NotStartedError('PRINTER_UNREACHABLE', 'the printer does not say yet what it printed last')
  if (mark !== undefined && typeof plateMark === 'string' && mark !== plateMark)
    throw new NotStartedError('PLATE_CHANGED', whatChanged(state))
}

/** Answers what may lie on a plate whose mark is not the one that it was cleared with, for people. */
function whatChanged({ last_result: last, run_mark_reason: reason }: PrinterState): string {
  if (reason) return `the printer was ${reason}`
  if (last) return `${last.run.file_name} was printed since the plate was cleared`
  return 'something else was printed since the plate was cleared'
}
