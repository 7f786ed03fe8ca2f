import { startPeerOf } from '@printyard/hub/test/printer-peers'
import { afterEach, expect, test } from 'vitest'
import { runCli } from '../test/run-cli.ts'

let close: (() => Promise<void>) | undefined
afterEach(() => close?.())

test('a person at the shell of the hub finds the printer at an address', async () => {
  const peer = await startPeerOf.prusalink()
  close = peer.close
  const address = `127.0.0.1:${peer.connection.port}`
  const json = await runCli(['hub', 'discover', '--address', address, '--json'])
  expect(json.stderr).toBe('')
  expect(json.document<unknown[]>()).toMatchObject([{ connection_type: 'prusalink', port: peer.connection.port }])
  const table = await runCli(['hub', 'discover', '--address', address])
  expect(table.stdout).toMatch(/^TYPE +NAME +ADDRESS.+\nprusalink +127\.0\.0\.1 +127\.0\.0\.1:\d+ .*PrusaLink/)
})

test('an address outside the local network is refused with what to do', async () => {
  const refused = await runCli(['hub', 'discover', '--address', '8.8.8.8', '--json'])
  expect(refused.exitCode).toBe(1)
  expect(refused.stdout + refused.stderr).toContain('outside the local network')
  const wrong = await runCli(['hub', 'discover', '--seconds', 'soon'])
  expect(wrong.exitCode).toBe(2)
})
