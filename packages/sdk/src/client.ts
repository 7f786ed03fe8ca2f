import { type ClientOptions, Connection } from './request.ts'
import { Resources } from './resources/resources.generated.ts'

/**
 * A client of one account.
 *
 * ```ts
 * const printyard = new Printyard({ baseUrl: 'https://farm.example.com', apiKey })
 * for await (const job of printyard.jobs.list({ status: 'queued' })) console.log(job.file_name)
 * ```
 */
export class Printyard extends Resources {
  constructor(options: ClientOptions) {
    super(new Connection({ ...options, credential: options }))
  }
}
