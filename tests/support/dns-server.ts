import dns2 from 'dns2'

const { Packet } = dns2

/** The records of a name */
type Records = { TXT?: string[]; CNAME?: string; A?: string[] }

/** A DNS server on loopback whose records a test decides. A name that is not there does not exist. */
export class DnsServer {
  readonly names = new Map<string, Records>()
  /** Questions are not answered: the server is out of reach. */
  isSilent = false
  address = ''
  readonly #server = dns2.createServer({
    udp: true,
    handle: (request, send) => {
      if (this.isSilent) return
      const response = Packet.createResponseFromRequest(request)
      const [question] = request.questions
      const { name = '', type } = question as { name: string; type: number }
      const known = this.names.get(name.toLowerCase())
      if (!known) response.header.rcode = Packet.RCODE.NXDOMAIN
      const answer = (type: number, data: object) =>
        response.answers.push({ name, type, class: Packet.CLASS.IN, ttl: 1, ...data } as never)
      const { TXT = [], CNAME, A = [] } = known ?? {}
      if (type === Packet.TYPE.TXT) for (const data of TXT) answer(type, { data })
      if (type === Packet.TYPE.CNAME && CNAME) answer(type, { domain: CNAME })
      if (type === Packet.TYPE.A) for (const address of A) answer(type, { address })
      send(response)
    },
  })

  static async start(): Promise<DnsServer> {
    const server = new DnsServer()
    const { udp } = await server.#server.listen({ udp: { port: 0, address: '127.0.0.1' } })
    server.address = `127.0.0.1:${udp?.port}`
    return server
  }

  async stop(): Promise<void> {
    await this.#server.close()
  }
}
