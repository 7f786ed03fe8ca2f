import { runProgram } from './program.ts'

// Whoever reads our output may have seen enough (`printyard openapi | head`); that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await runProgram(process.argv.slice(2))
