import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

interface ReceivedMail {
  from: string
  to: string
  /** Headers and body as they came, with soft line breaks undone. */
  text: string
}

export interface TestSmtpServer {
  url: string
  mails: ReceivedMail[]
  close(): Promise<void>
}

/** How it behaves: takes mails, refuses every recipient, says nothing at all, or a character now and then without end. */
export type SmtpBehaviour = 'takes' | 'refuses' | 'silent' | 'dribbles'

/** A mail server on the loopback that speaks as much SMTP as one mail needs. */
export async function startTestSmtpServer(behaviour: SmtpBehaviour = 'takes'): Promise<TestSmtpServer> {
  const mails: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // The client goes away in the middle when it has waited long enough.
    socket.on('error', () => socket.destroy())
    if (behaviour === 'silent') return
    if (behaviour === 'dribbles') {
      const timer = setInterval(() => socket.write('2'), 20)
      socket.on('close', () => clearInterval(timer))
      return
    }
    talk(socket, behaviour === 'refuses', mails)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function talk(socket: Socket, refuses: boolean, mails: ReceivedMail[]): void {
  let pending = ''
  let mail: ReceivedMail = { from: '', to: '', text: '' }
  let isBody = false
  const say = (line: string) => socket.write(`${line}\r\n`)
  const addressIn = (line: string) => /<([^>]*)>/.exec(line)?.[1] ?? ''
  socket.setEncoding('utf8')
  say('220 test')
  socket.on('data', (chunk: string) => {
    pending += chunk
    for (let end = pending.indexOf('\r\n'); end >= 0; end = pending.indexOf('\r\n')) {
      const line = pending.slice(0, end)
      pending = pending.slice(end + 2)
      if (isBody) {
        if (line !== '.') {
          mail.text += `${line}\n`
          continue
        }
        isBody = false
        mails.push({ ...mail, text: mail.text.replace(/=\n/g, '').replaceAll('=3D', '=') })
        say('250 kept')
      } else if (/^(EHLO|HELO)/i.test(line)) say('250 test')
      else if (/^MAIL/i.test(line)) {
        mail = { from: addressIn(line), to: '', text: '' }
        say('250 ok')
      } else if (/^RCPT/i.test(line)) {
        mail.to = addressIn(line)
        say(refuses ? '550 no such mailbox' : '250 ok')
      } else if (/^DATA/i.test(line)) {
        isBody = true
        say('354 go on')
      } else if (/^STARTTLS/i.test(line)) {
        say('502 no TLS here')
      } else if (/^QUIT/i.test(line)) {
        say('221 bye')
        socket.end()
      } else say('250 ok')
    }
  })
}
