import { Readable } from 'node:stream'
import { runProgram } from 'printyard/program'
import { vi } from 'vitest'
import { type CommandResult, isSetting } from './run-cli.ts'

let isRunning = false

/**
 * Runs `printyard` with these arguments in the process of the test: starting a process of its own takes more than most commands
 * do. Settings, input and output are those of the command alone, as with `runCli`; one runs at a time. What is about the
 * process (its end, signals, a data directory of its own) is tested with `runCli`.
 */
export async function runCommand(
  args: readonly string[],
  { env = {}, input = '' }: { env?: Record<string, string>; input?: string } = {},
): Promise<CommandResult> {
  if (isRunning) throw new Error('another command runs in this process; use runCli')
  isRunning = true
  const stdout = capture(process.stdout)
  const stderr = capture(process.stderr)
  const restoreInput = replaceInput(input)
  const restoreEnvironment = replaceSettings({ PRINTYARD_HUB_DISCOVERY: 'off', ...env })
  try {
    const exitCode = await runProgram(args)
    return {
      exitCode,
      stdout: stdout.text(),
      stderr: stderr.text(),
      // Tests know what they asked for; a wrong shape shows as a failed expectation.
      document: <T>() => JSON.parse(stdout.text()) as T,
    }
  } finally {
    restoreEnvironment()
    restoreInput()
    stderr.end()
    stdout.end()
    isRunning = false
  }
}

function capture(stream: NodeJS.WriteStream): { text(): string; end(): void } {
  let text = ''
  const spy = vi.spyOn(stream, 'write').mockImplementation((chunk) => {
    text += String(chunk)
    return true
  })
  return { text: () => text, end: () => spy.mockRestore() }
}

function replaceInput(input: string): () => void {
  // Node defines it as a property that can be defined again.
  const before = Object.getOwnPropertyDescriptor(process, 'stdin') as PropertyDescriptor
  const value = Readable.from(input === '' ? [] : [Buffer.from(input)])
  Object.defineProperty(process, 'stdin', { value, configurable: true })
  return () => {
    Object.defineProperty(process, 'stdin', before)
  }
}

function replaceSettings(settings: Record<string, string>): () => void {
  const before = { ...process.env }
  for (const name of Object.keys(before).filter(isSetting)) delete process.env[name]
  Object.assign(process.env, settings)
  return () => {
    for (const name of Object.keys(settings)) delete process.env[name]
    Object.assign(process.env, before)
  }
}
