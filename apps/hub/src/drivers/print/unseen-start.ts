import type { PrinterState } from '@printyard/protocol/printer-state'

/**
 * A start whose run was not seen yet. Printers take the name of a new job over before they take back how the last one ended, so
 * that for a while the end of the last job stands beside the name of ours; some close the connection in just that moment.
 */
interface UnseenStart {
  /** A print of this file is about to be asked for. */
  expect(fileName: string): void
  /** The state without a result that cannot be that of the expected run: it was not seen running, and its time is not over. */
  withoutStaleResult(state: PrinterState): PrinterState
}

/** `timeMs`: a result that stands for so long after the start is believed although its run was never seen. */
export function createUnseenStart(timeMs: number): UnseenStart {
  let expected: { fileName: string; sinceMs: number } | undefined
  return {
    expect(fileName) {
      expected = { fileName, sinceMs: performance.now() }
    },
    withoutStaleResult(state) {
      if (!expected) return state
      const isOver = performance.now() - expected.sinceMs > timeMs
      if (isOver || state.run?.file_name === expected.fileName) expected = undefined
      return expected && state.last_result?.run.file_name === expected.fileName
        ? { ...state, last_result: null }
        : state
    },
  }
}
