import { answerTasks } from '../../threads/answer-tasks.ts'
import { deriveKey } from './passwords.ts'

/** What a hashing thread is given. */
export type HashTask = { password: string; salt: Uint8Array }

answerTasks(({ password, salt }: HashTask) => deriveKey(password, salt))
