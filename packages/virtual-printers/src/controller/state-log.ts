import { appendFileSync, mkdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { VirtualPrinterEvent } from '../virtual-printer.ts'

/**
 * The memory of a simulated printer: a file of JSON lines, each with the events that happened and the parts of the state
 * that they changed. Written without delay but not flushed to the disk: it survives the death of the process at any
 * moment, not the loss of power.
 */
export interface StateLog<State extends object> {
  /** What the file holds; the state is empty when there was no file. */
  readonly stored: { state: Partial<State>; events: VirtualPrinterEvent[] }
  /** True when it should be rewritten, because most of it is out of date. */
  readonly isOverdue: boolean
  /** Throws what the file system says. After that only `rewrite` makes the file whole again. */
  append(change: Partial<State>, events: readonly VirtualPrinterEvent[]): void
  /** Replaces the file in one step. */
  rewrite(state: State, events: readonly VirtualPrinterEvent[]): void
}

interface Line<State> {
  state?: Partial<State>
  events?: VirtualPrinterEvent[]
}

const minRewriteBytes = 256 * 1024

/**
 * Opens or begins the log. A last line that was torn by a kill is cut off. Throws when the file cannot be read or is
 * damaged elsewhere, since a printer that forgets what is on its plate would be worse.
 */
export function openStateLog<State extends object>(path: string): StateLog<State> {
  mkdirSync(dirname(path), { recursive: true })
  const text = readIfThere(path)
  const wholeText = text.slice(0, text.lastIndexOf('\n') + 1)
  let sizeBytes = Buffer.byteLength(wholeText)
  if (wholeText.length < text.length) truncateSync(path, sizeBytes)
  const stored: { state: Partial<State>; events: VirtualPrinterEvent[] } = { state: {}, events: [] }
  for (const [index, line] of wholeText.split('\n').entries()) {
    if (line === '') continue
    const { state, events } = parseLine<State>(path, index + 1, line)
    Object.assign(stored.state, state)
    if (events) stored.events.push(...events)
  }
  let rewriteAtBytes = Math.max(minRewriteBytes, sizeBytes * 2)

  return {
    stored,
    get isOverdue() {
      return sizeBytes > rewriteAtBytes
    },
    append(state, events) {
      const line: Line<State> = { state, ...(events.length > 0 && { events: [...events] }) }
      const text = `${JSON.stringify(line)}\n`
      appendFileSync(path, text)
      sizeBytes += Buffer.byteLength(text)
    },
    rewrite(state, events) {
      const line: Line<State> = { state, events: [...events] }
      const text = `${JSON.stringify(line)}\n`
      writeFileSync(`${path}.new`, text)
      renameSync(`${path}.new`, path)
      sizeBytes = Buffer.byteLength(text)
      rewriteAtBytes = Math.max(minRewriteBytes, sizeBytes * 2)
    },
  }
}

/** Leaves out the oldest events, but never one of a start: those are what prints are counted by. */
export function thinEvents(events: readonly VirtualPrinterEvent[], keepNewest: number): VirtualPrinterEvent[] {
  const firstKept = events.length - keepNewest
  return events.filter(
    (event, index) => index >= firstKept || event.kind === 'started' || event.kind === 'started_on_occupied_plate',
  )
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

function parseLine<State>(path: string, lineNumber: number, line: string): Line<State> {
  try {
    // Only this module writes the file, so a line that parses has the form that was written.
    return JSON.parse(line) as Line<State>
  } catch (cause) {
    throw new Error(`${path} is damaged in line ${lineNumber}`, { cause })
  }
}
