/** What a service answers: the envelope around what was asked for. */
export interface Answered<Envelope> {
  envelope: Envelope
  response: Response
}

/** An answer with what came around it. */
export interface WithResponse<Data, Envelope> {
  data: Data
  /** The whole body: commands to printers say `pending` there. */
  envelope: Envelope
  response: Response
  requestId: string | null
  /** For `ifMatch` of a later change; null for what has no version. */
  etag: string | null
}

/** An answer on its way: `await` gives its data, `withResponse` also what came around it. */
export class ApiPromise<Data, Envelope> extends Promise<Data> {
  #answered: Promise<Answered<Envelope>> = new Promise(() => undefined)
  #unwrap: ((answered: Answered<Envelope>) => Data) | undefined

  // What `then` makes of it is an ordinary promise.
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  static from<Data, Envelope>(
    answered: Promise<Answered<Envelope>>,
    unwrap: (answered: Answered<Envelope>) => Data,
  ): ApiPromise<Data, Envelope> {
    const promise = new ApiPromise<Data, Envelope>((resolve, reject) => {
      answered.then((value) => resolve(unwrap(value)), reject)
    })
    promise.#answered = answered
    promise.#unwrap = unwrap
    return promise
  }

  async withResponse(): Promise<WithResponse<Data, Envelope>> {
    // The same failure as that of `answered`, which is told here.
    this.catch(() => undefined)
    const answered = await this.#answered
    const { envelope, response } = answered
    const data = this.#unwrap!(answered)
    const { headers } = response
    return { data, envelope, response, requestId: headers.get('x-request-id'), etag: headers.get('etag') }
  }
}
