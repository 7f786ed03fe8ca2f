import type { Command } from 'commander'
import type { AnswerOptions } from '../answer.ts'
import type { CreateHubOptions } from '../commands/create-hub.ts'
import type { DiscoverPrintersOptions } from '../commands/discover-printers.ts'
import type { JoinHubOptions } from '../commands/join-hub.ts'
import type { RunHubOptions } from '../commands/run-hub.ts'
import { caFileOption, dataDirOption, hubDirOption, leaf, type ProgramParts } from './program-parts.ts'

/** Adds the commands for hubs, at the service and beside the printers. */
export function addHubCommands(program: Command, { answer }: ProgramParts): void {
  const hubs = program.command('hubs').description('Hubs, as the service knows them')
  leaf(hubs, 'create', '--account acc_… --name "Workshop hub"')
    .description('Create a hub with its token, which is shown only this once')
    .requiredOption('--account <id>', 'account whose printers it runs')
    .requiredOption('--name <name>', 'name of the hub, unique in the account')
    .addOption(dataDirOption())
    .action(async (options: CreateHubOptions & AnswerOptions) => {
      const { createHub } = await import('../commands/create-hub.ts')
      await answer(options, createHub(options))
    })

  const hub = program.command('hub').description("This machine as a hub on the printers' network")
  leaf(hub, 'join', 'https://farm.example.com K7PM2QXA')
    .description('Exchange a join code for the token of this hub, and store it here')
    .argument('<url>', 'URL of the service')
    .argument('<code>', 'join code of the dashboard')
    .option('--ca-fingerprint <sha256>', 'fingerprint of the authority of its certificate, where that is a local one')
    .addOption(caFileOption())
    .addOption(hubDirOption())
    .action(async (url: string, code: string, options: JoinHubOptions & AnswerOptions) => {
      const { joinHub } = await import('../commands/join-hub.ts')
      await answer(options, joinHub(url, code, options))
    })
  leaf(hub, 'run', '--virtual 8 --speed 100')
    .description('Run the hub until it is stopped')
    .option('--url <url>', 'URL of the service (default: PRINTYARD_HUB_URL, else as joined)')
    .option('--token <token>', 'token of the hub (default: PRINTYARD_HUB_TOKEN, else as joined)')
    .addOption(caFileOption())
    .addOption(hubDirOption())
    .option('--virtual <count>', 'simulated printers to offer to the service (default: 0)')
    .option('--speed <factor>', 'speed of virtual printers, as a multiple of real time (default: 1)')
    .action(async (options: RunHubOptions & AnswerOptions) => {
      const { spareMemory } = await import('../spare-memory.ts')
      spareMemory()
      const { runHub } = await import('../commands/run-hub.ts')
      await answer(options, runHub(options))
    })
  leaf(hub, 'discover', '--address 192.168.1.20')
    .description("Search for printers on this machine's network")
    .option('--address <address>', 'further address to search, with or without a port')
    .option('--seconds <count>', 'seconds to wait for announcements (default: 10)')
    .addOption(hubDirOption())
    .action(async (options: DiscoverPrintersOptions & AnswerOptions) => {
      const { discoverPrinters } = await import('../commands/discover-printers.ts')
      await answer(options, discoverPrinters(options))
    })
}
