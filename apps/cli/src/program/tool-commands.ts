import type { Command } from 'commander'
import type { McpOptions } from '../commands/mcp.ts'
import type { SimulateOptions } from '../commands/simulate.ts'
import { leaf, type ProgramParts } from './program-parts.ts'

/** Adds the simulated printers, and the server by which agents reach the farm. */
export function addToolCommands(program: Command, { end }: ProgramParts): void {
  leaf(program, 'simulate', 'moonraker --count 3 --speed 60')
    .description('Run simulated printers that speak the protocol of a family, to try a farm without hardware')
    .argument('<family>', 'octoprint, moonraker, prusalink, bambu, elegoo, elegoo-cc2, creality, or all')
    .option('--count <number>', 'number of printers of the family', '1')
    .option('--speed <factor>', 'their speed, as a multiple of real time', '1')
    .option('--seed <number>', 'seed of their serials, credentials and temperatures', '1')
    .option('--port <number>', 'first port; each printer takes three in a row. 0 takes any free ones', '0')
    .action(async (family: string, options: SimulateOptions) => {
      const { simulate } = await import('../commands/simulate.ts')
      end(await simulate(family, options))
    })

  leaf(program, 'mcp', '--url https://farm.example.com')
    .description('Serve the farm to an agent by MCP at standard input and output; the API key is in PRINTYARD_API_KEY')
    .option('--url <url>', 'URL of the service (default: PRINTYARD_URL, else http://127.0.0.1:4400)')
    .option('--http <port>', 'serve by HTTP at this port of 127.0.0.1 instead; 0 takes any free one')
    .action(async (options: McpOptions) => {
      const { serveMcp } = await import('../commands/mcp.ts')
      await serveMcp(options)
    })
}
