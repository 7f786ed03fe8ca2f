import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, connect as openSocket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connectAsync, type MqttClient } from 'mqtt'
import { makeTestAuthority, makeTestCertificate, writePair } from './test-certificates.ts'

const program = ['/usr/sbin/mosquitto', '/usr/bin/mosquitto', '/usr/local/sbin/mosquitto'].find(existsSync)

/** Whether the real broker can be run; its tests are skipped otherwise. */
export const hasMosquitto = program !== undefined
if (!hasMosquitto) console.warn('SKIPPED: mosquitto is not installed (apt-get install mosquitto)')

/** Mosquitto on free ports of this machine: one plain, one with TLS and a certificate of an authority of its own. */
export interface TestBroker {
  plainUrl: string
  secureUrl: string
  /** The authority of its certificate, as PEM. */
  ca: string
  username: string
  password: string
  /** Kills it, as a power cut does; what it knew is gone. */
  kill(): Promise<void>
  /** Starts it again at the same ports. */
  start(): Promise<void>
  /** A client that remembers what it is told of each topic, retained or not. */
  listen(): Promise<{ client: MqttClient; last: Map<string, string>; all: { topic: string; text: string }[] }>
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return port
}

function answersOn(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = openSocket(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

/** @param folder for its files */
export async function openTestBroker(folder: string): Promise<TestBroker> {
  const [plain, secure] = [await freePort(), await freePort()]
  const authority = await makeTestAuthority()
  const { certFile, keyFile } = writePair(folder, await makeTestCertificate(authority))
  const [username, password] = ['farm', 'correct-horse']
  const passwords = join(folder, 'passwords')
  execFileSync('mosquitto_passwd', ['-b', '-c', passwords, username, password])
  const settings = join(folder, 'mosquitto.conf')
  const lines = [
    'per_listener_settings true',
    ...(process.getuid?.() === 0 ? ['user root'] : []),
    ...[`listener ${secure} 127.0.0.1`, `certfile ${certFile}`, `keyfile ${keyFile}`],
    ...['allow_anonymous false', `password_file ${passwords}`],
    ...[`listener ${plain} 127.0.0.1`, 'allow_anonymous true'],
  ]
  writeFileSync(settings, `${lines.join('\n')}\n`)
  let child: ChildProcess | undefined
  const clients: MqttClient[] = []

  async function start(): Promise<void> {
    const started = spawn(program ?? 'mosquitto', ['-c', settings], { stdio: 'ignore' })
    child = started
    for (let looks = 0; looks < 200 && started.exitCode === null; looks += 1) {
      if ((await answersOn(plain)) && (await answersOn(secure))) return
      await pause(50)
    }
    throw new Error('mosquitto did not start')
  }
  await start()
  return {
    plainUrl: `mqtt://127.0.0.1:${plain}`,
    secureUrl: `mqtts://localhost:${secure}`,
    ca: authority.cert,
    ...{ username, password },
    start,
    async kill() {
      for (const client of clients.splice(0)) client.end(true)
      const running = child
      if (!running || running.exitCode !== null || running.signalCode !== null) return
      const over = new Promise((resolve) => running.once('exit', resolve))
      running.kill('SIGKILL')
      await over
    },
    async listen() {
      const last = new Map<string, string>()
      const all: { topic: string; text: string }[] = []
      const client = await connectAsync(`mqtt://127.0.0.1:${plain}`)
      clients.push(client)
      client.on('message', (topic, payload) => {
        const text = payload.toString()
        all.push({ topic, text })
        if (text === '') last.delete(topic)
        else last.set(topic, text)
      })
      await client.subscribeAsync('#')
      return { client, last, all }
    },
  }
}
