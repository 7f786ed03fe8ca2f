/**
 * A program that tests need and npm does not bring. With a `probe`, it must also end well with these arguments.
 *
 * @typedef {{ command: string, debianPackage: string, neededFor: string, probe?: string[] }} NeededProgram
 */

/** @type {NeededProgram[]} */
export const neededPrograms = [
  { command: 'mosquitto', debianPackage: 'mosquitto', neededFor: 'the Bambu driver against a broker that is not ours' },
  { command: 'redis-server', debianPackage: 'redis-server', neededFor: 'limits that several processes count together' },
  { command: 'pgbouncer', debianPackage: 'pgbouncer', neededFor: 'the service behind a pooler of connections' },
  { command: 'vsftpd', debianPackage: 'vsftpd', neededFor: 'Bambu uploads to the file server that printers use' },
  { command: 'go', debianPackage: 'golang-go', neededFor: 'a client in Go made of the API description' },
  {
    command: 'javac',
    debianPackage: 'default-jdk-headless',
    neededFor: 'a client in Java made of the API description',
  },
  { command: 'mvn', debianPackage: 'maven', neededFor: 'what a client in Java needs' },
  {
    command: 'python3',
    debianPackage: 'python3-venv',
    neededFor: 'a client in Python, and programs from PyPI',
    // Debian has it without what makes environments.
    probe: ['-c', 'import venv, ensurepip'],
  },
  {
    command: 'chromium-headless-shell',
    debianPackage: 'chromium-headless-shell',
    neededFor: 'the dashboard in a browser',
  },
  { command: 'chromium', debianPackage: 'chromium', neededFor: 'notifications of the dashboard' },
]

/**
 * What to do about the programs that are not there.
 *
 * @param {NeededProgram[]} needed
 * @param {{ isPresent: (program: NeededProgram) => boolean, isRoot: boolean, hasAptGet: boolean }} machine
 * @returns {{ toInstall: string[], missing: NeededProgram[] }} `toInstall`: Debian packages; `missing`: what cannot be
 *   installed from here
 */
export function planPrograms(needed, machine) {
  const absent = needed.filter((program) => !machine.isPresent(program))
  const canInstall = machine.isRoot && machine.hasAptGet
  return canInstall
    ? { toInstall: [...new Set(absent.map((program) => program.debianPackage))], missing: [] }
    : { toInstall: [], missing: absent }
}
