import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { differences, printAtSimulator, printByOctorest, type Steps } from '../../test/octorest-steps.ts'
import { isPeerInstalled } from '../../test/python-peers.ts'
import { gcodeForSeconds, startRealOctoPrint } from '../../test/real-octoprint.ts'

const folder = mkdtempSync(join(tmpdir(), 'printyard-octorest-'))
const file = join(folder, 'whole.gcode')
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** What OctoPrint finds out about a file that our simulator does not look into. */
const unsimulated = /gcodeAnalysis/

test.skipIf(!isPeerInstalled('octorest'))(
  'octorest drives a simulated OctoPrint through a whole print, and is answered as by OctoPrint',
  { timeout: 400_000 },
  async () => {
    writeFileSync(file, gcodeForSeconds(3))
    const reality = printAtRealOne()
    // The real program is waited for also when the simulator fails: it would outlive the test.
    const { steps, kinds } = await printAtSimulator(file).finally(() => reality.catch(() => undefined))
    const real = await reality
    const ofMachine = kinds.filter((kind) => /^(started|paused|resumed|cancelled|completed)$/.test(kind))
    expect(ofMachine).toEqual(['started', 'paused', 'resumed', 'cancelled', 'started', 'completed'])
    expect(steps).toMatchObject({
      'no job': { state: 'Operational', job: { file: { path: null } } },
      names: ['moved.gcode', 'whole.gcode'],
      printing: { state: 'Printing', job: { file: { path: 'whole.gcode', origin: 'local' } } },
      paused: { state: { text: 'Paused', flags: { paused: true, printing: false } } },
      cancelled: { progress: { completion: null } },
      printed: { progress: { completion: 100 } },
      'printed file': { prints: { success: 1, failure: 1, last: { success: true } } },
      disconnected: { current: { state: 'Closed', port: null } },
      'no files': [],
    })
    if (real === undefined) return
    expect(Object.keys(steps)).toEqual(Object.keys(real))
    expect(statusesOf(steps)).toEqual(statusesOf(real))
    expect(differences(real, steps).filter((difference) => !unsimulated.test(difference))).toEqual([])
  },
)

async function printAtRealOne(): Promise<Steps | undefined> {
  if (!isPeerInstalled('octoprint')) return undefined
  const octoPrint = await startRealOctoPrint()
  try {
    const { address, api_key: apiKey } = octoPrint.connection
    return await printByOctorest({ address, apiKey, file })
  } finally {
    await octoPrint.close()
  }
}

function statusesOf(steps: Steps): Steps {
  return Object.fromEntries(Object.entries(steps).filter(([, answer]) => typeof answer === 'number'))
}
