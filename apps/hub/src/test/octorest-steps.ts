import { fileURLToPath } from 'node:url'
import { createVirtualPrinter } from '@printyard/virtual-printers/create-virtual-printer'
import { startOctoPrintSimulator } from '@printyard/virtual-printers/octoprint/octoprint-simulator'
import { runClientScript } from './python-peers.ts'

const script = fileURLToPath(new URL('octorest-print.py', import.meta.url))
const WHOLE_PRINT_MS = 180_000

/** What octorest was answered at each step of a whole print; of a refusal the status. */
export type Steps = Record<string, unknown>

/** Prints a file by octorest, a client of OctoPrint that is not ours; rejects at the first answer that it does not take. */
export async function printByOctorest({ address, apiKey, file }: { address: string; apiKey: string; file: string }) {
  const told = await runClientScript('octorest', script, [address, apiKey, file], WHOLE_PRINT_MS)
  const lines = told.trim().split('\n')
  const steps = lines.map((line) => JSON.parse(line) as { step: string; answer: unknown })
  return Object.fromEntries(steps.map(({ step, answer }) => [step, answer])) as Steps
}

/** The same at our simulator, with what the simulated machine put down of it. */
export async function printAtSimulator(file: string) {
  const apiKey = '0123456789ABCDEF0123456789ABCDEF'
  const printer = createVirtualPrinter({ id: 'octorest', model: 'MK3S', speed: 60 })
  await printer.powerOn()
  const plan = { printTimeSeconds: 150, layerCount: 10, nozzleTemp: 60, bedTemp: 40 }
  const simulator = await startOctoPrintSimulator({ printer, apiKey, planOf: () => plan })
  try {
    const steps = await printByOctorest({ address: `http://127.0.0.1:${simulator.port}`, apiKey, file })
    return { steps, kinds: printer.events.map(({ kind }) => kind) }
  } finally {
    await simulator.close()
    await printer.powerOff()
  }
}

/** Members that `real` has and `simulated` has not, or of another kind, as paths. What one of them leaves empty is no difference. */
export function differences(real: unknown, simulated: unknown, path = ''): string[] {
  if (real === null || simulated === null) return []
  if (kindOf(real) !== kindOf(simulated)) return [`${path}: ${kindOf(real)}, not ${kindOf(simulated)}`]
  if (Array.isArray(real)) return differences(real[0] ?? null, (simulated as unknown[])[0] ?? null, `${path}[]`)
  if (typeof real !== 'object') return []
  return Object.entries(real).flatMap(([key, value]) =>
    key in (simulated as object)
      ? differences(value, (simulated as Record<string, unknown>)[key], `${path}.${key}`)
      : [`${path}.${key}: missing`],
  )
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value
}
