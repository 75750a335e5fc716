/** The bytes of a stream, of which no more are read once there are more than `max`: then it is too large. */
export async function firstBytes(stream: AsyncIterable<Buffer>, max: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    size += chunk.length
    // Leaving the loop ends the connection.
    if (size > max) break
  }
  return Buffer.concat(chunks)
}
