import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { type Config, readConfig } from '../../../kernel/config.ts'
import {
  type SmtpBehaviour,
  startTestSmtpServer,
  type TestSmtpServer,
} from '../../../test/services/test-smtp-server.ts'
import { sendMail } from './send-mail.ts'

let server: TestSmtpServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const mail = { to: 'new@example.com', subject: 'Welcome', text: 'A line.\nhttps://farm.example.com/x#token=abc' }

function contextWith(config: Partial<Config>) {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) })
  return { config: { ...readConfig({}), ...config }, log, lines }
}

async function contextFor(behaviour: SmtpBehaviour) {
  server = await startTestSmtpServer(behaviour)
  return contextWith({ smtpUrl: server.url.replace('//', '//farm:secret-word@'), mailFrom: 'Farm <farm@example.com>' })
}

test('a mail arrives from the configured sender with its text', async () => {
  server = await startTestSmtpServer()
  const context = contextWith({ smtpUrl: server.url, mailFrom: 'Farm <farm@example.com>' })
  expect(await sendMail(context, mail)).toBe('sent')
  expect(server.mails).toMatchObject([{ from: 'farm@example.com', to: 'new@example.com' }])
  expect(server.mails[0]?.text).toContain('Subject: Welcome')
  expect(server.mails[0]?.text).toContain('https://farm.example.com/x#token=abc')
})

test('without a mail server nothing is sent', async () => {
  expect(await sendMail(contextWith({}), mail)).toBe('off')
})

test('a recipient that is refused is told from a failure that passes, and the log tells of it', async () => {
  server = await startTestSmtpServer('refuses')
  const context = contextWith({ smtpUrl: server.url, mailFrom: 'farm@example.com' })
  expect(await sendMail(context, mail)).toBe('refused')
  expect(context.lines.join()).toMatch(/EENVELOPE.*550/)
  expect(context.lines.join()).not.toContain(mail.to)
  expect(server.mails).toEqual([])
})

test.each(['silent', 'dribbles'] as const)('a mail server that is %s is given up', async (behaviour) => {
  const context = await contextFor(behaviour)
  expect(await sendMail(context, mail, 300)).toBe('failed')
  expect(context.lines.join()).toContain('no answer within 300 ms')
})

test('a mail server that is not there is a failure, and its password stays out of the log', async () => {
  const context = await contextFor('takes')
  await server?.close()
  server = undefined
  expect(await sendMail(context, mail)).toBe('failed')
  expect(context.lines.join()).toContain('ECONNREFUSED')
  expect(context.lines.join()).not.toContain('secret-word')
})

test('a line break in a name does not become a header', async () => {
  server = await startTestSmtpServer()
  const context = contextWith({ smtpUrl: server.url, mailFrom: 'farm@example.com' })
  expect(await sendMail(context, { ...mail, subject: 'Hello\r\nBcc: all@example.com' })).toBe('sent')
  expect(server.mails[0]?.text).not.toMatch(/^Bcc:/im)
})

test('a server on another machine that offers no TLS gets no mail and no password, unless a setting says so', async () => {
  server = await startTestSmtpServer()
  // Not a loopback address to us, and yet one that leads there.
  const smtpUrl = server.url.replace('127.0.0.1', '[::ffff:127.0.0.1]').replace('//', '//farm:secret-word@')
  const mailFrom = 'farm@example.com'
  const strict = contextWith({ smtpUrl, mailFrom })
  expect(await sendMail(strict, mail)).toBe('failed')
  expect(strict.lines.join()).toContain('ETLS')
  expect(server.mails).toEqual([])
  const open = server.url.replace('127.0.0.1', '[::ffff:127.0.0.1]')
  expect(await sendMail(contextWith({ smtpUrl: open, mailFrom, smtpPlainText: 'on' }), mail)).toBe('sent')
})
