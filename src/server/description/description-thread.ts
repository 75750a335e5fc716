import { answerTasks } from '../threads/answer-tasks.ts'
import { type Asked, writeDocument } from './document.ts'

/*
 * A thread that writes the document and ends: with its texts, its examples and the program that puts it
 * together, it would keep 20 MB of a process that redirects.
 */

answerTasks((asked: Asked) => writeDocument(asked))
