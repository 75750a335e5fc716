import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import type { ServerDeps } from './authorization-server.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** The authorization server, which the first agent loads: most servers never need it. */
export class LateServer {
  readonly deps: ServerDeps
  #loading: Promise<{ provider: Provider; answer: Answer }> | undefined

  constructor(deps: ServerDeps) {
    this.deps = deps
  }

  async answering(): Promise<Answer> {
    return (await this.#load()).answer
  }

  async provider(): Promise<Provider> {
    return (await this.#load()).provider
  }

  #load() {
    this.#loading ??= import('./authorization-server.ts').then(({ makeAuthorizationServer }) => {
      const provider = makeAuthorizationServer(this.deps)
      return { provider, answer: provider.callback() }
    })
    return this.#loading
  }
}
