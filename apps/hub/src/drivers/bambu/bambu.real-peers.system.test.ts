import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer, connect as openSocket } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { makePrinterCertificate, type PrinterCertificate } from '@printyard/virtual-printers/bambu/printer-certificate'
import { connectAsync } from 'mqtt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CredentialsRefusedError } from '../connection/keep-connected.ts'
import { createBambuFtps } from './bambu-ftps.ts'
import { openBambuMqtt } from './bambu-mqtt.ts'
import { sameCertificate, type Trust } from './printer-trust.ts'

const serial = '01P00A123456789'
const accessCode = randomBytes(6).toString('hex')
const soon = () => AbortSignal.timeout(20_000)

function isOnPath(command: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

const isRoot = process.getuid?.() === 0
const lacks = (command: string) => !isOnPath(command)
if (lacks('mosquitto')) console.warn('SKIPPED: mosquitto is not installed (apt-get install mosquitto)')
if (lacks('vsftpd')) console.warn('SKIPPED: vsftpd is not installed (apt-get install vsftpd)')
else if (!isRoot) console.warn('SKIPPED: vsftpd needs root, for a user of its own')

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

/** Starts a server that cannot choose free ports by itself; another program may be faster with one, so it has some tries. */
async function startOn(count: number, run: (ports: number[]) => ChildProcess) {
  for (let tries = 0; tries < 5; tries += 1) {
    const ports: number[] = []
    for (let index = 0; index < count; index += 1) ports.push(await freePort())
    const child = run(ports)
    const over = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    for (let looks = 0; looks < 300 && child.exitCode === null; looks += 1) {
      if ((await Promise.all(ports.map(answersOn))).every(Boolean)) {
        return {
          ports,
          async stop() {
            child.kill('SIGKILL')
            await over
          },
        }
      }
      await pause(50)
    }
    child.kill('SIGKILL')
    await over
  }
  throw new Error('the server did not start')
}

let folder: string
let certificate: PrinterCertificate

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'printyard-peers-'))
  // The server's own user must get through to its files.
  chmodSync(folder, 0o755)
  certificate = await makePrinterCertificate(serial)
  writeFileSync(join(folder, 'printer.crt'), certificate.cert)
  writeFileSync(join(folder, 'printer.key'), certificate.key, { mode: 0o600 })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.skipIf(lacks('mosquitto'))('behind mosquitto', () => {
  let broker: Awaited<ReturnType<typeof startOn>>

  beforeAll(async () => {
    execFileSync('mosquitto_passwd', ['-b', '-c', join(folder, 'passwords'), 'bblp', accessCode])
    writeFileSync(join(folder, 'acl'), `user bblp\ntopic readwrite device/${serial}/#\n`)
    broker = await startOn(2, ([secure, plain]) => {
      const lines = [
        'per_listener_settings true',
        ...(isRoot ? ['user root'] : []),
        `listener ${secure} 127.0.0.1`,
        `certfile ${join(folder, 'printer.crt')}`,
        `keyfile ${join(folder, 'printer.key')}`,
        'allow_anonymous false',
        `password_file ${join(folder, 'passwords')}`,
        `acl_file ${join(folder, 'acl')}`,
        `listener ${plain} 127.0.0.1`,
        'allow_anonymous true',
      ]
      const config = join(folder, 'mosquitto.conf')
      writeFileSync(config, `${lines.join('\n')}\n`)
      return spawn('mosquitto', ['-c', config], { stdio: 'ignore' })
    })
  })
  afterAll(() => broker?.stop())

  const open = (code: string, trust: Trust, onMessage: (message: unknown) => void = () => undefined) =>
    openBambuMqtt({
      host: '127.0.0.1',
      port: broker.ports[0] ?? 0,
      serial,
      accessCode: code,
      trust,
      answerTimeoutMs: 10_000,
      signal: soon(),
      onMessage,
    })

  test('a command is answered and reports arrive', async () => {
    const firmware = await connectAsync(`mqtt://127.0.0.1:${broker.ports[1]}`)
    const link = await open(accessCode, { kind: 'ca', ca: certificate.cert })
    try {
      await firmware.subscribeAsync(`device/${serial}/request`, { qos: 1 })
      firmware.on('message', (_topic, payload) => {
        const { print } = JSON.parse(payload.toString())
        firmware.publish(`device/${serial}/report`, JSON.stringify({ print: { ...print, result: 'success' } }))
      })
      expect(await link.ask('print', 'pause', { param: '' }, soon())).toMatchObject({ result: 'success' })
    } finally {
      link.close('done')
      await firmware.endAsync(true)
    }
  })

  test('a wrong access code is told as such', async () => {
    const wrong = open('not the code', { kind: 'ca', ca: certificate.cert })
    await expect(wrong).rejects.toBeInstanceOf(CredentialsRefusedError)
  })

  test('a broker that is not believed gets no access code', async () => {
    const other = await makePrinterCertificate(serial)
    await expect(open(accessCode, { kind: 'ca', ca: other.cert })).rejects.toMatchObject({ code: 'REFUSED' })
  })
})

describe.skipIf(lacks('vsftpd') || !isRoot)('behind vsftpd that wants the session of the control connection', () => {
  const user = `py${randomBytes(5).toString('hex')}`
  let server: Awaited<ReturnType<typeof startOn>>
  let card: string

  beforeAll(async () => {
    card = join(folder, 'card')
    for (const name of ['card', 'empty']) mkdirSync(join(folder, name))
    await addUser(user, card)
    execFileSync('chpasswd', { input: `${user}:${accessCode}\n` })
    const idOf = (flag: string) => Number(execFileSync('id', [flag, user]).toString())
    chownSync(card, idOf('-u'), idOf('-g'))
    server = await startOn(1, ([port]) => {
      const settings = {
        listen: 'YES',
        background: 'NO',
        listen_address: '127.0.0.1',
        listen_port: port,
        anonymous_enable: 'NO',
        local_enable: 'YES',
        write_enable: 'YES',
        chroot_local_user: 'YES',
        allow_writeable_chroot: 'YES',
        secure_chroot_dir: join(folder, 'empty'),
        pam_service_name: 'vsftpd',
        ssl_enable: 'YES',
        implicit_ssl: 'YES',
        force_local_logins_ssl: 'YES',
        force_local_data_ssl: 'YES',
        require_ssl_reuse: 'YES',
        ssl_tlsv1: 'YES',
        ssl_ciphers: 'HIGH',
        rsa_cert_file: join(folder, 'printer.crt'),
        rsa_private_key_file: join(folder, 'printer.key'),
        pasv_address: '127.0.0.1',
        seccomp_sandbox: 'NO',
      }
      const config = join(folder, 'vsftpd.conf')
      const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
      writeFileSync(config, lines.join(''))
      return spawn('vsftpd', [config], { stdio: 'ignore' })
    })
  })
  afterAll(async () => {
    await server?.stop()
    execFileSync('userdel', ['-f', user], { stdio: 'ignore' })
  })

  const ftps = (code = accessCode) =>
    createBambuFtps({
      host: '127.0.0.1',
      port: server.ports[0] ?? 0,
      user,
      accessCode: code,
      tls: () => sameCertificate(serial, { kind: 'first_use', path: '', authorities: [] }, certificate.cert),
      allowsClearData: () => false,
    })
  const makeFile = (bytes: number) => {
    const path = join(folder, 'plate.gcode.3mf')
    writeFileSync(path, randomBytes(bytes))
    return { path, size_bytes: bytes, file_name: 'plate.gcode.3mf' }
  }

  test('a file arrives whole, is replaced, and is removed', async () => {
    await ftps().upload(makeFile(3_000_000), soon())
    expect(statSync(join(card, 'plate.gcode.3mf')).size).toBe(3_000_000)
    await ftps().upload(makeFile(1_000), soon())
    expect(statSync(join(card, 'plate.gcode.3mf')).size).toBe(1_000)
    await ftps().remove('plate.gcode.3mf', soon())
    expect(readdirSync(card)).toEqual([])
    await expect(ftps().remove('plate.gcode.3mf', soon())).resolves.toBeUndefined()
  })

  test('a wrong access code is told as such', async () => {
    await expect(ftps('not the code').upload(makeFile(1_000), soon())).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('credentials refused'),
    })
  })
})

/** The list of users may be locked for a moment by another program that changes it. */
async function addUser(name: string, home: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return void execFileSync('useradd', ['-M', '-N', '-d', home, '-s', '/bin/sh', name], { stdio: 'pipe' })
    } catch (error) {
      if (tries === 20) throw error
      await pause(250)
    }
  }
}
