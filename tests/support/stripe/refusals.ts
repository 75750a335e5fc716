type Fault = { type?: string; code?: string; param?: string; message: string }

/** An error answer of Stripe's. */
export class StripeRefusal extends Error {
  readonly status: number
  readonly fault: Fault

  constructor(status: number, fault: Fault) {
    super(fault.message)
    this.status = status
    this.fault = { type: 'invalid_request_error', ...fault }
  }
}

/** No such object. In a path it is 404, in a parameter 400. */
export function missing(what: string, id: string, param?: string): StripeRefusal {
  const fault = { code: 'resource_missing', message: `No such ${what}: '${id}'` }
  return param
    ? new StripeRefusal(400, { ...fault, param })
    : new StripeRefusal(404, { ...fault, param: 'id' })
}

/** Returns an object that was looked up, or refuses the request if there is none. */
export function found<T>(object: T | undefined, what: string, id: string, param?: string): T {
  if (object === undefined) throw missing(what, id, param)
  return object
}
