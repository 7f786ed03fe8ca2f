import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls'

/** What a file server does with the files it is sent. */
interface FtpsStore {
  /** Resolves once the file is stored; rejects when the upload breaks. Bytes come until the sender is through. */
  store(name: string, content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void>
  remove(name: string, signal: AbortSignal): Promise<void>
  list(signal: AbortSignal): Promise<{ fileName: string; sizeBytes: number }[]>
  /** Waits as long as the server is not to be heard. */
  untilHeard(signal: AbortSignal): Promise<void>
}

/** An answer that a store wants to be given in place of the usual one. */
export class FtpsRefusal extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** Bad manners that file servers of real printers have been seen with. */
export interface FtpsQuirks {
  /** The data connection must go on with the TLS session of the control connection, else 522. */
  requiresSessionReuse: boolean
  /** TLS on the data connection fails; only `PROT C` works. */
  clearDataOnly: boolean
  /** A complete upload is answered with 426 anyway. */
  liesAboutTransfers: boolean
  /** The answer to a complete upload comes this much later. */
  answerDelayMs: number
  /** How STOR is answered at once, such as 553 without a memory card; null when as usual. */
  refusesUploads: number | null
}

interface FtpsServerOptions {
  key: string
  cert: string
  user: string
  password: string
  port: number
  store: FtpsStore
}

interface FtpsServer {
  readonly port: number
  readonly quirks: FtpsQuirks
  /** Every command that came, passwords left out, oldest first. */
  readonly commands: readonly string[]
  /** The most files that were being stored or removed at a time. */
  readonly mostAtOnce: number
  cut(): void
  close(): Promise<void>
}

/** FTP over implicit TLS as printers serve it: TLS 1.2 at most, plain RSA suites only, passive mode only. */
export async function startFtpsServer(options: FtpsServerOptions): Promise<FtpsServer> {
  // One context for control and data: a session of the one can be gone on with on the other.
  const secureContext = createSecureContext({
    key: options.key,
    cert: options.cert,
    minVersion: 'TLSv1.2',
    maxVersion: 'TLSv1.2',
    ciphers: 'AES256-GCM-SHA384:AES128-GCM-SHA256',
  })
  const quirks: FtpsQuirks = {
    requiresSessionReuse: true,
    clearDataOnly: false,
    liesAboutTransfers: false,
    answerDelayMs: 0,
    refusesUploads: null,
  }
  const sockets = new Set<Socket>()
  const commands: string[] = []
  const load = createLoad()
  const server = createServer((raw) => {
    hold(sockets, raw)
    serve(raw, { options, secureContext, quirks, sockets, commands, load })
  })
  await listen(server, options.port)
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    quirks,
    commands,
    get mostAtOnce() {
      return load.most
    },
    cut,
    async close() {
      cut()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

interface Surroundings {
  options: FtpsServerOptions
  secureContext: SecureContext
  quirks: FtpsQuirks
  sockets: Set<Socket>
  commands: string[]
  load: Load
}

/** Number of things that go on at a time. */
interface Load {
  readonly most: number
  during<T>(work: () => Promise<T>): Promise<T>
}

function createLoad(): Load {
  let present = 0
  let most = 0
  return {
    get most() {
      return most
    },
    async during(work) {
      present += 1
      most = Math.max(most, present)
      try {
        return await work()
      } finally {
        present -= 1
      }
    },
  }
}

/** One control connection, from greeting to end. */
function serve(raw: Socket, { options, secureContext, quirks, sockets, commands, load }: Surroundings): void {
  const { store } = options
  const gone = new AbortController()
  const control = new TLSSocket(raw, { isServer: true, secureContext })
  let user = ''
  let isIn = false
  let isProtected = false
  let passive: { server: Server; incoming: Promise<Socket> } | undefined

  const say = (line: string) => {
    if (control.writable) control.write(`${line}\r\n`)
  }
  const closePassive = () => {
    passive?.server.close()
    passive = undefined
  }
  control.on('error', () => raw.destroy())
  control.on('close', () => {
    gone.abort(new Error('the client has gone'))
    closePassive()
  })

  const openPassive = async () => {
    closePassive()
    const server = createServer()
    const incoming = new Promise<Socket>((resolve) => {
      server.once('connection', (socket) => {
        server.close()
        hold(sockets, socket)
        // Read from once a transfer begins; what comes before that waits.
        socket.pause()
        resolve(socket)
      })
    })
    await listen(server, 0)
    passive = { server, incoming }
    return (server.address() as AddressInfo).port
  }

  /** The data connection, behind TLS when that was agreed on. */
  const openData = async (): Promise<Socket> => {
    if (!passive) throw new FtpsRefusal(425, 'Use PASV first.')
    const socket = await passive.incoming
    passive = undefined
    if (!isProtected) return socket
    if (quirks.clearDataOnly) {
      socket.destroy()
      throw new FtpsRefusal(425, 'Failure establishing TLS on the data connection.')
    }
    const secure = new TLSSocket(socket, { isServer: true, secureContext })
    secure.on('error', () => socket.destroy())
    await new Promise<void>((resolve, reject) => {
      secure.once('secure', resolve)
      secure.once('close', () => reject(new FtpsRefusal(425, 'The data connection was closed.')))
    })
    if (quirks.requiresSessionReuse && !secure.isSessionReused()) {
      secure.destroy()
      throw new FtpsRefusal(522, 'SSL connection failed: session reuse required.')
    }
    return secure
  }

  const receive = async (name: string) => {
    if (quirks.refusesUploads !== null) throw new FtpsRefusal(quirks.refusesUploads, 'Could not create file.')
    say('150 Ok to send data.')
    const data = await openData()
    try {
      await store.store(name, data, gone.signal)
    } catch (error) {
      data.destroy()
      if (error instanceof FtpsRefusal) throw error
      throw new FtpsRefusal(426, 'Failure reading network stream.')
    }
    data.end()
    if (quirks.answerDelayMs > 0) await new Promise((resolve) => setTimeout(resolve, quirks.answerDelayMs))
    say(quirks.liesAboutTransfers ? '426 Failure reading network stream.' : '226 Transfer complete.')
  }

  const answers: Record<string, (argument: string) => Promise<void> | void> = {
    PBSZ: () => say('200 PBSZ set to 0.'),
    PROT: (level) => {
      isProtected = level.toUpperCase() === 'P'
      say(`200 PROT now ${isProtected ? 'Private' : 'Clear'}.`)
    },
    TYPE: () => say('200 Switching to Binary mode.'),
    STRU: () => say('200 Structure set to F.'),
    PWD: () => say('257 "/" is the current directory'),
    CWD: () => say('250 Directory successfully changed.'),
    NOOP: () => say('200 NOOP ok.'),
    EPSV: async () => say(`229 Entering Extended Passive Mode (|||${await openPassive()}|)`),
    PASV: async () => {
      const port = await openPassive()
      say(`227 Entering Passive Mode (127,0,0,1,${port >> 8},${port & 255}).`)
    },
    STOR: (name) => load.during(() => receive(bareName(name))),
    SIZE: async (name) => {
      const file = (await store.list(gone.signal)).find(({ fileName }) => fileName === bareName(name))
      say(file ? `213 ${file.sizeBytes}` : '550 Could not get file size.')
    },
    DELE: (name) =>
      load.during(async () => {
        await store.remove(bareName(name), gone.signal)
        say('250 Delete operation successful.')
      }),
    MKD: (name) => say(`257 "${name}" created`),
    LIST: async () => {
      const files = await store.list(gone.signal)
      say('150 Here comes the directory listing.')
      const data = await openData()
      const lines = files.map(
        ({ fileName, sizeBytes }) => `-rw-rw-rw-    1 0        0        ${sizeBytes} Jan 01 12:00 ${fileName}\r\n`,
      )
      await new Promise<void>((resolve) => data.end(lines.join(''), () => resolve()))
      say('226 Directory send OK.')
    },
  }

  const answer = async (line: string) => {
    const [verb = '', argument = ''] = splitOnce(line)
    const command = verb.toUpperCase()
    commands.push(command === 'PASS' ? command : `${command} ${argument}`.trim())
    await store.untilHeard(gone.signal)
    if (command === 'USER') {
      user = argument
      return say('331 Please specify the password.')
    }
    if (command === 'PASS') {
      isIn = user === options.user && argument === options.password
      return say(isIn ? '230 Login successful.' : '530 Login incorrect.')
    }
    if (command === 'QUIT') return void control.end('221 Goodbye.\r\n')
    if (!isIn) return say('530 Please login with USER and PASS.')
    const known = Object.hasOwn(answers, command) ? answers[command] : undefined
    if (!known) return say('502 Command not implemented.')
    await known(argument)
  }

  let turn: Promise<void> = Promise.resolve()
  let rest = ''
  control.setEncoding('utf8')
  control.on('data', (text: string) => {
    const lines = (rest + text).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      turn = turn.then(() =>
        answer(line).catch((error: unknown) => {
          closePassive()
          if (gone.signal.aborted) return
          if (error instanceof FtpsRefusal) say(`${error.code} ${error.message}`)
          else say(`550 ${error instanceof Error ? error.message : 'Failed.'}`)
        }),
      )
    }
  })
  say('220 (vsFTPd 3.0.3)')
}

function splitOnce(line: string): [string, string] {
  const at = line.indexOf(' ')
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)]
}

const bareName = (path: string) => path.slice(path.lastIndexOf('/') + 1)

function hold(sockets: Set<Socket>, socket: Socket): void {
  sockets.add(socket)
  socket.on('error', () => socket.destroy())
  socket.on('close', () => sockets.delete(socket))
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
}
