import type { Command } from 'commander'
import type { AnswerOptions } from '../answer.ts'
import type { ServeOptions } from '../commands/serve.ts'
import { dataDirOption, leaf, type ProgramParts } from './program-parts.ts'

/** Adds the commands that run the service and check it. */
export function addServiceCommands(program: Command, { answer, end }: ProgramParts): void {
  leaf(program, 'serve', '--port 4400')
    .description('Run the service until it is stopped')
    .option('--host <address>', 'address to listen on (default: PRINTYARD_HOST, else 127.0.0.1)')
    .option('--port <number>', 'port to listen on; 0 takes any free one (default: PRINTYARD_PORT, else 4400)')
    .addOption(dataDirOption())
    .option('--demo', 'fill an empty data directory with a farm of virtual printers, and keep it printing')
    .action(async (options: ServeOptions) => {
      const { serve } = await import('../commands/serve.ts')
      end(await serve(options))
    })

  leaf(program, 'health', '')
    .description('Check whether the service on this machine is ready; the exit code is the answer')
    .action(async (options: AnswerOptions) => {
      const { readHealth } = await import('../commands/health.ts')
      await answer(options, readHealth())
    })
}
