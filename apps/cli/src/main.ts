import { runProgram } from './program.ts'

// Whoever reads our output may have seen enough (`printyard openapi | head`); that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

// At once: whatever a failed start left open must not keep the process. Output to files and pipes is written by now.
process.exit(await runProgram(process.argv.slice(2)))
