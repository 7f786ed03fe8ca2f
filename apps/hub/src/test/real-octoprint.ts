import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PeerProcess, startPeer } from './python-peers.ts'

const apiKey = '0123456789ABCDEF0123456789ABCDEF'
const ANSWER_MS = 30_000

/** OctoPrint with the virtual printer that it brings along, connected and idle. */
export interface RealOctoPrint extends PeerProcess {
  connection: { address: string; api_key: string }
  /** Asks OctoPrint as its own pages do: the answer's body, or undefined when it has none. */
  ask<T>(method: string, path: string, body?: unknown): Promise<T>
}

/** A file that keeps the virtual printer busy this long: it waits where it is told to, and does moves in no time. */
export function gcodeForSeconds(seconds: number): string {
  return `G28\n${'G1 X1 F3000\nG4 P200\n'.repeat(seconds * 5)}`
}

export async function startRealOctoPrint(): Promise<RealOctoPrint> {
  const ask = async <T>(port: number, method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { 'x-api-key': apiKey, ...(body !== undefined && { 'content-type': 'application/json' }) },
      signal: AbortSignal.timeout(ANSWER_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 300)}`)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
  const peer = await startPeer({
    name: 'octoprint',
    prepare(folder) {
      mkdirSync(join(folder, 'incoming'), { recursive: true })
      writeFileSync(join(folder, 'config.yaml'), config)
      writeFileSync(join(folder, 'users.yaml'), users)
    },
    environment: (folder) => ({ TMPDIR: join(folder, 'incoming') }),
    args: (folder, port) =>
      `octoprint serve --iknowwhatimdoing --host 127.0.0.1 --port ${port} --basedir`.split(' ').concat(folder),
    async isReady(_folder, port) {
      const { current } = await ask<{ current: { state: string } }>(port, 'GET', '/api/connection')
      return current.state === 'Operational'
    },
  })
  return {
    ...peer,
    connection: { address: `http://127.0.0.1:${peer.port}`, api_key: apiKey },
    ask: (method, path, body) => ask(peer.port, method, path, body),
  }
}

/**
 * Nothing here asks the network. `simulated_errors` would otherwise demand that lines are sent again, and a pause would wait ten
 * seconds for a position that the virtual printer does not tell.
 */
const config = `
server: {firstRun: false, onlineCheck: {enabled: false}, pluginBlacklist: {enabled: false}}
accessControl: {autologinLocal: false}
serial: {autoconnect: true, port: VIRTUAL, baudrate: 115200, timeout: {positionLogWait: 2}}
plugins:
  _disabled: [softwareupdate, tracking, announcements, errortracking, discovery, pluginmanager, backup,
              health_check, achievements, pi_support, firmware_check, file_check]
  virtual_printer: {enabled: true, throttle: 0.0, sendWait: false, hasChamber: true, simulated_errors: []}
webcam: {webcamEnabled: false}
`

/** A user with a key is all it takes: no one walks through the wizard. */
const users = `
_version: 2
hub:
  active: true
  apikey: ${apiKey}
  groups: [users, admins]
  password: "x"
  permissions: []
  settings: {}
`
