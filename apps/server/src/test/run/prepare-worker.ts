import { fileURLToPath } from 'node:url'
import { expect, inject } from 'vitest'
import { needsPeers, peersInstalled } from '../../../../../scripts/pending-peers.mjs'

const compiledFolder = fileURLToPath(new URL('../../../../../node_modules/.cache/compiled', import.meta.url))

// Vitest loads this file before each test file. What a test and its child processes write goes with the folder of the run, and
// what Node compiled of our sources is found again by each child process and each thread that reads print files.
process.env.TMPDIR = inject('temporaryFolder')
process.env.NODE_COMPILE_CACHE ??= compiledFolder

const { testPath } = expect.getState()
if (testPath !== undefined && needsPeers(testPath)) await peersInstalled()
