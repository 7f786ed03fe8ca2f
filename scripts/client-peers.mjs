import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './node24.mjs'
import { peerStampFile, peersFolder } from './pending-peers.mjs'
import { dependenciesStamp, isStamped, removeStamp, writeStamp } from './stamps.mjs'
import { runTool, step } from './steps.mjs'

const installMs = 8 * 60_000

/** The generators, by the names that their registries know them by. */
const goGenerator = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'
const javaGenerator = 'org.openapitools:openapi-generator-cli:7.25.0:jar'
const mavenPlugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1'

/** The Go that the generator and its clients are built by where the machine's own is older. */
const goToolchain = 'v0.0.1-go1.25.0'
const leastGo = { major: 1, minor: 25 }

/**
 * A generator of clients with what its clients need, in `.peers/NAME`. Tests make clients of our API description by it.
 *
 * @typedef {{ name: string, neededFor: string, source: string, install: (folder: string, run: Run) => Promise<string | undefined> }} ClientPeer
 * @typedef {(command: string, args: string[], options?: { cwd?: string, env?: NodeJS.ProcessEnv }) => Promise<{ exitCode: number, output: string, standardOutput: string }>} Run
 */

/** @type {ClientPeer[]} */
export const clientPeers = [
  { name: 'client-go', neededFor: 'a client in Go by oapi-codegen', source: goGenerator, install: installForGo },
  {
    name: 'client-java',
    neededFor: 'a client in Java by openapi-generator',
    source: `${javaGenerator} ${mavenPlugin}`,
    install: installForJava,
  },
]

/**
 * Makes sure that each generator that is needed is installed.
 *
 * @param {(name: string) => boolean} isNeeded
 * @param {(pid: number) => void} recordTool of the lock, which the caller holds
 * @returns {Promise<import('./absent-peers.mjs').Absence[]>} those that could not be
 */
export async function ensureClientPeers(isNeeded, recordTool) {
  const absent = clientPeers.filter(
    (peer) => isNeeded(peer.name) && !isStamped(peerStampFile(peer.name), stampOf(peer)),
  )
  /** @type {import('./absent-peers.mjs').Absence[]} */
  const absences = []
  /** @type {Run} */
  const run = (command, args, options = {}) =>
    runTool(command, args, { cwd: projectRoot, ...options, timeoutMs: installMs, onStart: recordTool })
  const installAbsent = async (/** @type {ClientPeer} */ peer) => {
    const problem = await step(`Installing ${peer.neededFor}`, () => installPeer(peer, run))
    if (problem !== undefined) absences.push({ name: peer.name, neededFor: peer.neededFor, problem })
  }
  await Promise.all(absent.map(installAbsent))
  return absences
}

/**
 * @param {ClientPeer} peer
 * @param {Run} run
 * @returns {Promise<string | undefined>} what went wrong
 */
async function installPeer(peer, run) {
  const folder = join(peersFolder, peer.name)
  removeStamp(peerStampFile(peer.name))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const problem = await peer.install(folder, run)
  if (problem !== undefined) return problem
  writeStamp(peerStampFile(peer.name), stampOf(peer))
}

/** @type {ClientPeer['install']} */
async function installForGo(folder, run) {
  const env = goEnvironment(folder)
  const version = await run('go', ['version'], { env })
  if (version.exitCode !== 0) return `go does not run: ${version.output}`
  const [major = 0, minor = 0] = (/go(\d+)\.(\d+)/.exec(version.standardOutput) ?? []).slice(1).map(Number)
  let go = 'go'
  if (major < leastGo.major || (major === leastGo.major && minor < leastGo.minor)) {
    const fetched = await fetchGo(run, env)
    if ('problem' in fetched) return fetched.problem
    go = fetched.go
  }
  const installed = await run(go, ['install', goGenerator], { env: { ...env, GOBIN: join(folder, 'bin') } })
  if (installed.exitCode !== 0) return installed.output
  const client = join(folder, 'client')
  mkdirSync(client)
  for (const name of ['go.mod', 'go.sum'])
    copyFileSync(join(projectRoot, 'scripts/client-peers/go', name), join(client, name))
  const modules = await run(go, ['mod', 'download'], { cwd: client, env })
  if (modules.exitCode !== 0) return modules.output
  const { GOPATH, GOCACHE, GOFLAGS, GOTOOLCHAIN } = env
  // How tests call it.
  writeFileSync(join(folder, 'go.json'), JSON.stringify({ go, env: { GOPATH, GOCACHE, GOFLAGS, GOTOOLCHAIN } }))
}

/**
 * A newer Go from where Go's own modules come. Older ones can fetch it too, but would leave its programs unexecutable.
 *
 * @param {Run} run
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ go: string } | { problem: string }>}
 */
async function fetchGo(run, env) {
  const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
  const module = `golang.org/toolchain@${goToolchain}.${platform}`
  const fetched = await run('go', ['mod', 'download', '-json', module], { env })
  if (fetched.exitCode !== 0) return { problem: fetched.output }
  const { Dir: folder } = JSON.parse(fetched.standardOutput)
  for (const programs of ['bin', `pkg/tool/${platform.replace('-', '_')}`]) {
    const path = join(folder, programs)
    for (const name of existsSync(path) ? readdirSync(path) : []) chmodSync(join(path, name), 0o755)
  }
  return { go: join(folder, 'bin/go') }
}

/**
 * Go with everything that it fetches and builds in one folder.
 *
 * @param {string} folder
 * @returns {NodeJS.ProcessEnv}
 */
function goEnvironment(folder) {
  return {
    ...process.env,
    GOPATH: join(folder, 'path'),
    GOCACHE: join(folder, 'cache'),
    // Else what was fetched could not be removed again.
    GOFLAGS: '-modcacherw',
    GOTOOLCHAIN: 'local',
  }
}

/** @type {ClientPeer['install']} */
async function installForJava(folder, run) {
  const generator = await run('mvn', [
    '--batch-mode',
    '--quiet',
    `${mavenPlugin}:copy`,
    `-Dartifact=${javaGenerator}`,
    `-DoutputDirectory=${folder}`,
    '-Dmdep.stripVersion=true',
  ])
  if (generator.exitCode !== 0) return generator.output
  const pom = join(projectRoot, 'scripts/client-peers/java/pom.xml')
  const target = `-DoutputDirectory=${join(folder, 'lib')}`
  const libraries = await run('mvn', ['--batch-mode', '--quiet', '-f', pom, `${mavenPlugin}:copy-dependencies`, target])
  if (libraries.exitCode !== 0) return libraries.output
}

/** @param {ClientPeer} peer */
function stampOf({ name, source }) {
  const folder = join(projectRoot, 'scripts/client-peers', name.replace('client-', ''))
  const files = readdirSync(folder).sort()
  const contents = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n')
  return dependenciesStamp(`${source}\n${contents}`, 0, `${process.platform}-${process.arch}`)
}
