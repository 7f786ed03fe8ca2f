import { inject } from 'vitest'

// Vitest loads this file before each test file: what a test and its child processes write goes with the folder of the run.
process.env.TMPDIR = inject('temporaryFolder')
