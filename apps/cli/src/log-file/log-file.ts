import { resolve } from 'node:path'
import { CommandError } from '../command-error.ts'
import { RotatingFile } from './rotating-file.ts'

interface LogFileSettings {
  /** Undefined: no file is written. */
  path: string | undefined
  maxMb: number
  files: number
  /** The setting that names the file, for a failure. */
  variable: string
  /** What the log calls the text of a line. */
  messageField: 'msg' | 'message'
}

/** Output of lines of a log. */
interface LogOutput {
  write(line: string): void
  close(): Promise<void>
}

/** Standard error, and the file of the settings. @throws CommandError when the file cannot be written */
export function openLogOutput({ path, maxMb, files, variable, messageField }: LogFileSettings): LogOutput {
  const toTerminal = (line: string) => void process.stderr.write(line)
  if (path === undefined) return { write: toTerminal, close: async () => undefined }
  const reports = {
    onFailure: (error: Error) => toTerminal(`The log file ${path} cannot be written: ${error.message}\n`),
    lostLine: (lines_lost: number) => {
      const line = {
        time: new Date().toISOString(),
        level: 'warn',
        [messageField]: 'lines of the log were lost',
        lines_lost,
      }
      return `${JSON.stringify(line)}\n`
    },
  }
  let file: RotatingFile
  try {
    file = new RotatingFile(resolve(path), { maxBytes: maxMb * 1024 * 1024, files }, reports)
  } catch (error) {
    throw new CommandError(`${variable} names a file that cannot be written: ${(error as Error).message}.`, 1, {
      cause: error,
    })
  }
  return {
    write(line) {
      toTerminal(line)
      file.write(line)
    },
    close: () => file.close(),
  }
}
