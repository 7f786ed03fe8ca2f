import { existsSync, realpathSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'

/**
 * Finds npm's own JavaScript, so that it can be run by a Node of our choice instead of the one its wrapper starts.
 *
 * @param {{ npm_execpath?: string | undefined, PATH?: string | undefined }} environment
 * @param {string} execPath the running Node; its installation often has an npm beside it
 * @returns {string | undefined} path of npm-cli.js
 */
export function findNpmCli(environment, execPath) {
  // Under yarn or pnpm this variable names their own script.
  const runningNpm = environment.npm_execpath
  if (runningNpm !== undefined && basename(runningNpm) === 'npm-cli.js' && existsSync(runningNpm)) return runningNpm

  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  for (const folder of [...folders, dirname(execPath)]) {
    const command = join(folder, 'npm')
    if (!existsSync(command)) continue
    const target = realpathSync(command)
    // `npm` is a link to the script in most installations, else a wrapper with the script in a folder beside it.
    const places = [
      target,
      join(dirname(target), 'node_modules/npm/bin/npm-cli.js'),
      join(dirname(target), '../lib/node_modules/npm/bin/npm-cli.js'),
    ]
    const found = places.find((place) => basename(place) === 'npm-cli.js' && existsSync(place))
    if (found !== undefined) return found
  }
  return undefined
}
