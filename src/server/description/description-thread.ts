import { serveTasks } from '../threads/serve-tasks.ts'
import { type Asked, writeDocument } from './document.ts'

/*
 * A thread that writes the document and ends. In the process that redirects it would stop everything
 * else for a third of a second.
 */

serveTasks((asked: Asked) => writeDocument(asked))
