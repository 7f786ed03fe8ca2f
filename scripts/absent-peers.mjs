import { projectRoot } from './node24.mjs'
import { lastLines, StepFailure } from './steps.mjs'
import { runNpm } from './toolchain.mjs'

const pingMs = 30_000

/**
 * A program of others that tests need and this machine does not have.
 *
 * @typedef {{ name: string, neededFor: string, problem: string, isOutOfReach?: boolean }} Absence `problem`: why it could not be
 *   installed; `isOutOfReach`: the user who runs this may not install it
 */

/**
 * The one rule for programs that tests need: what is missing fails the run, because its tests would be skipped and look as if they
 * had passed. Excused, where CI is not true, is only what could not be had: everything, where no registry answers, and what takes rights
 * that the user has not. It is said again at the end of the run.
 *
 * @param {Absence[]} absences
 * @param {{ isCi: boolean, isOnline: boolean }} machine
 * @returns {{ failed: Absence[], excused: Absence[] }}
 */
export function judgeAbsences(absences, { isCi, isOnline }) {
  const isExcused = (/** @type {Absence} */ { isOutOfReach }) => !isCi && (!isOnline || isOutOfReach === true)
  return { failed: absences.filter((absence) => !isExcused(absence)), excused: absences.filter(isExcused) }
}

/**
 * Applies the rule to what is missing.
 *
 * @param {string} nodePath of Node 24
 * @param {Absence[]} absences
 * @returns {Promise<Absence[]>} those that are excused
 * @throws {StepFailure}
 */
export async function refuseAbsences(nodePath, absences) {
  if (absences.length === 0) return []
  const machine = { isCi: process.env.CI === 'true', isOnline: await isRegistryThere(nodePath) }
  const { failed, excused } = judgeAbsences(absences, machine)
  if (failed.length === 0) return excused
  throw new StepFailure(`Programs that tests need are missing:\n${describeAbsences(failed)}`, {
    advice: 'Remove what is in the way and run the same again; without these programs their tests are skipped.',
  })
}

/** @param {Absence[]} absences */
export function describeAbsences(absences) {
  return absences
    .map(
      ({ name, neededFor, problem }) => `  ${name}: ${neededFor}\n${lastLines(problem, 8).replaceAll(/^/gm, '    ')}`,
    )
    .join('\n')
}

/**
 * Whether the registry of npm answers, whatever it says.
 *
 * @param {string} nodePath
 */
async function isRegistryThere(nodePath) {
  const args = ['ping', '--json', '--fetch-retries=0']
  const { exitCode, output } = await runNpm(nodePath, args, { cwd: projectRoot, timeoutMs: pingMs })
  // An answer that is an error has the code of its HTTP status.
  return exitCode === 0 || /"code": *"E\d{3}"/.test(output)
}
