import { availableParallelism } from 'node:os'
import { relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { isLong, listProgramTests, restingFiles } from './scripts/long-files.mjs'
import { needsPeers } from './scripts/pending-peers.mjs'

/** Set by `npm test` when it runs everything: walks through the product take turns then. */
const day = process.env.PRINTYARD_SAMPLE_SEED
const resting = day === undefined ? [] : restingFiles(listProgramTests(), Number(day))

/** On a new machine nothing is known of how long files take; a long one that comes last is waited for alone. */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const turns = new Map(sorted.map((file) => [file, turnOf(file)]))
    return sorted.sort((one, other) => Number(turns.get(one)) - Number(turns.get(other)))
  }
}

/** Long files begin; of those, what is still being installed for some is waited for least when they come last. Units fill the end. */
function turnOf({ moduleId, project }: TestSpecification): number {
  if (project.name === 'unit') return 3
  if (!isLong(relative(import.meta.dirname, moduleId))) return 2
  return needsPeers(moduleId) ? 1 : 0
}

/** Files wait for processes and printers twice as long as they work. More than six would wait for the one PostgreSQL. */
const maxWorkers = Math.min(6, 3 * availableParallelism())

// Three projects: `unit` needs nothing but Node and stays under a minute with types and lint; `system` starts PostgreSQL,
// the service, hubs and real peers. A test file that needs any of these ends in `.system.test.ts`. `clients` makes clients of the
// API description by generators of others, and runs them; that takes minutes once for each version of the description.
export default defineConfig({
  test: {
    sequence: { sequencer: LongFilesFirst },
    // The files of a worker share its modules: loading them, and compiling the schemas of all routes, is most of the work of an
    // ordinary file. Nothing of ours lives in a module (`module-state.test.ts`), so that no file finds what another left.
    isolate: false,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{apps,packages,bench,e2e,scripts}/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.system.test.ts', '**/*.clients.test.ts', '**/*.release.test.ts'],
          // Hundreds of generated inputs in one test take seconds on a machine that others use as well.
          testTimeout: 30_000,
          maxWorkers,
        },
      },
      {
        test: {
          name: 'system',
          include: ['{apps,packages,e2e}/**/*.system.test.ts'],
          exclude: ['**/node_modules/**', ...resting],
          globalSetup: ['apps/server/src/test/run/global-setup.ts'],
          setupFiles: ['apps/server/src/test/run/prepare-worker.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          // A second, the default, is short for a browser and a service on a machine that does other work.
          expect: { poll: { timeout: 15_000 } },
          maxWorkers,
        },
      },
      {
        test: {
          name: 'clients',
          include: ['e2e/**/*.clients.test.ts'],
          exclude: ['**/node_modules/**', ...resting],
          globalSetup: ['apps/server/src/test/run/global-setup.ts'],
          setupFiles: ['apps/server/src/test/run/prepare-worker.ts'],
          testTimeout: 9 * 60_000,
          hookTimeout: 60_000,
          maxWorkers,
        },
      },
    ],
  },
})
