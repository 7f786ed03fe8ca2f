import { DriverError } from '../driver.ts'

/** Lines that are kept of one script. */
const MOST_LINES = 100

/** Sends a script once; resolves when Klipper has answered it. */
type SendScript = (script: string, signal: AbortSignal, timeoutMs: number) => Promise<unknown>

/** G-code that Klipper runs, with the lines that it says meanwhile: an unknown command is answered with ok. */
export class KlipperScripts {
  readonly #send: SendScript
  /** The lines of each script that runs now. */
  readonly #running = new Set<string[]>()

  constructor(send: SendScript) {
    this.#send = send
  }

  /** @throws DriverError `REFUSED` with the line in which Klipper complains, whatever its answer was. */
  async run(script: string, signal: AbortSignal, timeoutMs: number): Promise<void> {
    const lines: string[] = []
    this.#running.add(lines)
    try {
      await this.#send(script, signal, timeoutMs)
    } finally {
      this.#running.delete(lines)
    }
    const complaint = lines.find((line) => line.startsWith('!!') || /^\/\/ Unknown command/i.test(line))
    if (complaint !== undefined) throw new DriverError('REFUSED', complaint.slice(0, 300))
  }

  /** Klipper said a line; which script it belongs to it does not say. */
  recordLine(line: string): void {
    for (const lines of this.#running) if (lines.length < MOST_LINES) lines.push(line)
  }
}
