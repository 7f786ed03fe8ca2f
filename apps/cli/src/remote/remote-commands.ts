import { type Command, InvalidArgumentError, Option } from 'commander'
import type { AnswerOptions } from '../answer.ts'
import { leaf, type ProgramParts } from '../program/program-parts.ts'
import type { ConfirmedOptions } from './confirmation.ts'
import type { RemoteOptions } from './connection.ts'
import type { ListFilesOptions } from './files.ts'
import type { ListJobsOptions, PrintOptions } from './jobs.ts'
import type { ListOrdersOptions } from './orders.ts'
import type { ListPrintersOptions } from './printers.ts'
import type { WatchOptions } from './watch.ts'

type Moving = RemoteOptions & ConfirmedOptions & AnswerOptions
type Reading = RemoteOptions & AnswerOptions

/** Adds the commands of the day's work, which go to any server by its API. */
export function addRemoteCommands(program: Command, { answer, end }: ProgramParts): void {
  const remote = (parent: Command, name: string, example: string) =>
    leaf(parent, name, example)
      .option('--server <url>', 'URL of the service (default: PRINTYARD_URL, else as logged in)')
      .option('--api-key-file <file>', 'file of the API key (default: PRINTYARD_API_KEY, else as logged in)')
  const list = (parent: Command, example: string) =>
    remote(parent, 'list', example).option('--limit <count>', 'largest number of rows', parseCount, 50)
  const moving = (parent: Command, name: string, example: string) =>
    remote(parent, name, example).option('--yes', 'skip the confirmation')

  remote(program, 'login', '--server https://farm.example.com')
    .description('Verify an API key, and store it for this user; it is prompted for, or read from standard input')
    .action(async (options: Reading) => {
      const { login } = await import('./login.ts')
      await answer(options, login(options))
    })
  leaf(program, 'logout', '')
    .description('Remove the API key that login stored')
    .action(async (options: AnswerOptions) => {
      const { logout } = await import('./login.ts')
      await answer(options, logout())
    })

  const jobs = program.command('jobs').description('Jobs of a server')
  list(jobs, '--status printing')
    .description('List jobs, the newest first')
    .addOption(new Option('--status <status>', 'only those in it').choices(jobStatuses))
    .option('--printer <printer>', 'only jobs of this printer, by ID or name')
    .action(async (options: ListJobsOptions & AnswerOptions) => {
      const { listJobs } = await import('./jobs.ts')
      await answer(options, listJobs(options))
    })
  remote(jobs, 'show', 'job_…')
    .description('Show a job')
    .argument('<id>', 'ID of the job')
    .action(async (id: string, options: Reading) => {
      const { showJob } = await import('./jobs.ts')
      await answer(options, showJob(id, options))
    })
  remote(jobs, 'explain', 'job_…')
    .description('Show why a job waits, and the remedies')
    .argument('<id>', 'ID of the job')
    .action(async (id: string, options: Reading) => {
      const { explainJob } = await import('./jobs.ts')
      await answer(options, explainJob(id, options))
    })
  moving(jobs, 'print', 'bracket.gcode --units 4')
    .description('Queue a file of this machine, which is uploaded first, or one of the server')
    .argument('<file>', 'path of a file, or the ID of a print file')
    .option('--units <count>', 'units the job must yield', parseCount)
    .option('--printer <printer>', 'only on this printer, by ID or name')
    .option('--color <name>', 'colour of the filament (default: that of the file)')
    .addOption(new Option('--priority <priority>', 'default: normal').choices(['low', 'normal', 'high', 'urgent']))
    .action(async (file: string, options: PrintOptions & AnswerOptions) => {
      const { print } = await import('./jobs.ts')
      await answer(options, print(file, options))
    })
  const commands = {
    cancel: 'Cancel a job, and stop its print',
    pause: 'Pause a print',
    resume: 'Go on with a paused print',
    retry: 'Queue a failed job once more',
  } as const
  for (const [name, description] of Object.entries(commands)) {
    moving(jobs, name, 'job_… --yes')
      .description(description)
      .argument('<id>', 'ID of the job')
      .action(async (id: string, options: Moving) => {
        const { commandJob } = await import('./jobs.ts')
        await answer(options, commandJob(name as keyof typeof commands, id, options))
      })
  }

  const printers = program.command('printers').description('Printers of a server')
  list(printers, '--status idle')
    .description('List printers by name')
    .addOption(new Option('--status <status>', 'only those in it').choices(printerStatuses))
    .action(async (options: ListPrintersOptions & AnswerOptions) => {
      const { listPrinters } = await import('./printers.ts')
      await answer(options, listPrinters(options))
    })
  remote(printers, 'show', '"MK4S 1"')
    .description('Show a printer, its plate and its problems')
    .argument('<printer>', 'ID or name')
    .action(async (printer: string, options: Reading) => {
      const { showPrinter } = await import('./printers.ts')
      await answer(options, showPrinter(printer, options))
    })
  moving(printers, 'clear-plate', '"MK4S 1" --yes')
    .description('Confirm that the plate of a printer is empty; the next print may start on it')
    .argument('<printer>', 'ID or name')
    .action(async (printer: string, options: Moving) => {
      const { clearPlate } = await import('./printers.ts')
      await answer(options, clearPlate(printer, options))
    })

  const orders = program.command('orders').description('Orders of a server')
  list(orders, '--at-risk')
    .description('List orders, the newest first')
    .addOption(new Option('--status <status>', 'only those in it').choices(orderStatuses))
    .option('--at-risk', 'only orders that may be late')
    .action(async (options: ListOrdersOptions & AnswerOptions) => {
      const { listOrders } = await import('./orders.ts')
      await answer(options, listOrders(options))
    })
  remote(orders, 'show', '1001')
    .description('Show an order and its lines')
    .argument('<order>', 'ID or number')
    .action(async (order: string, options: Reading) => {
      const { showOrder } = await import('./orders.ts')
      await answer(options, showOrder(order, options))
    })
  moving(orders, 'produce', '1001 --yes')
    .description('Queue the missing units of an order')
    .argument('<order>', 'ID or number')
    .action(async (order: string, options: Moving) => {
      const { produceOrder } = await import('./orders.ts')
      await answer(options, produceOrder(order, options))
    })

  const files = program.command('files').description('Print files of a server')
  list(files, '--search bracket')
    .description('List print files, the newest first')
    .option('--search <text>', 'only files with this text in their name')
    .action(async (options: ListFilesOptions & AnswerOptions) => {
      const { listFiles } = await import('./files.ts')
      await answer(options, listFiles(options))
    })
  remote(files, 'push', 'bracket.gcode clip.3mf')
    .description('Upload print files')
    .argument('<files...>', 'paths')
    .action(async (paths: string[], options: Reading) => {
      const { pushFiles } = await import('./files.ts')
      await answer(options, pushFiles(paths, options))
    })

  remote(program, 'watch', '--type job.')
    .description('Print a line for each event until stopped; with --json a JSON document per line')
    .option('--after <id>', 'start after this event (default: now)')
    .option('--type <prefix>', 'only types that begin with this prefix')
    .action(async (options: WatchOptions) => {
      const { watch } = await import('./watch.ts')
      end(await watch(options))
    })
}

const jobStatuses = ['queued', 'processing', 'printing', 'paused', 'completed', 'failed', 'cancelled']
const printerStatuses = ['idle', 'printing', 'paused', 'maintenance', 'error', 'offline']
const orderStatuses = ['pending', 'processing', 'printed', 'assembled', 'shipped', 'fulfilled', 'cancelled', 'refunded']

function parseCount(text: string): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number < 1 || number > 100_000) {
    throw new InvalidArgumentError('Give a whole number from 1 to 100000.')
  }
  return number
}
