import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { setPriority } from 'node:os'

/** Behind everything else that the machine does. */
const lowPriority = 10

interface BackgroundProcess {
  child: ChildProcessWithoutNullStreams
  /** Answers why it could not be started, or the end of what it wrote to its standard error. */
  problem(): string
}

/**
 * Starts a program of ours for work that would hold up requests, such as hashing and compressing.
 *
 * @param order what it is to do; it reads that from its standard input as JSON
 */
export function startInBackground(program: string, order: object): BackgroundProcess {
  const child = spawn(process.execPath, ['--max-old-space-size=256', program], { stdio: ['pipe', 'pipe', 'pipe'] })
  let words = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-4_000)
  })
  // A process that could not be started closes too; its error says why.
  child.on('error', (error) => {
    words = error.message
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(JSON.stringify(order))
  if (child.pid !== undefined) setPriority(child.pid, lowPriority)
  return { child, problem: () => words.trim() }
}
