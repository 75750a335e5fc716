import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import {
  PictureProcess,
  PictureProcessLost,
} from '../../src/server/pictures/uploads/picture-process.ts'
import type {
  PictureReply,
  PictureTask,
} from '../../src/server/pictures/uploads/picture-program.ts'

/*
 * One process reads all pictures of a test worker. The service starts one for each picture, and a start
 * takes longer than most pictures.
 */

const FOLDER = '../../src/server/pictures/uploads'
const PROGRAM = fileURLToPath(new URL(`${FOLDER}/picture-program.ts`, import.meta.url))
const readApart = PictureProcess.prototype.read
let reader: ChildProcess | undefined
let last: Promise<unknown> = Promise.resolve()

async function started(): Promise<ChildProcess> {
  if (reader?.connected) return reader
  reader = fork(PROGRAM, {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  await once(reader, 'message')
  return reader
}

async function read(task: PictureTask): Promise<PictureReply> {
  const child = await started()
  return new Promise((resolve, reject) => {
    const lose = () => reject(new PictureProcessLost('The picture process ended'))
    child.once('exit', lose)
    child.once('message', (reply: PictureReply) => {
      child.off('exit', lose)
      resolve(reply)
    })
    child.send(task)
  })
}

/** Lets all services of this worker read their pictures in one process. */
export function sharePictureProcess() {
  PictureProcess.prototype.read = (task) => {
    const reading = last.then(() => read(task))
    last = reading.catch(() => {})
    return reading
  }
}

/** Gives each picture a process of its own, as the service does. */
export function readPicturesApart() {
  PictureProcess.prototype.read = readApart
}
