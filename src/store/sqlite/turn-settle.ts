import type { Database } from 'better-sqlite3';
import type { Owner, TurnUsage } from '../../engine/ports/store.ts';
import { keptText } from '../kept-text.ts';
import { packLengths } from '../token-lengths.ts';
import { conversationToucher } from './conversations.ts';
import { exchangeWriter } from './exchange-writer.ts';
import type { Operations } from './operations.ts';
import { itemPutter } from './memory-items.ts';
import { jobPutter } from './queue.ts';
import { rateCounter } from './rates.ts';
import { sessionChanger } from './sessions.ts';
import { workflowSaver } from './workflows.ts';

type SettledRow = TurnUsage &
  Owner & {
    turnId: string;
    status: string;
    now: number;
    terminalName: string;
    terminalData: string;
    retryable: number;
    tokenLengths: Uint8Array;
    text: string;
  };

/** `settleTurn`: a turn that is not live any more, not there, or another's is `fenced`. */
export function turnSettler(db: Database): Operations['settleTurn'] {
  const changeSession = sessionChanger(db);
  const writeExchange = exchangeWriter(db);
  const touch = conversationToucher(db);
  const putJob = jobPutter(db);
  const putItem = itemPutter(db);
  const saveWorkflow = workflowSaver(db);
  const rates = rateCounter(db);
  const live = db.prepare<[string, string, string], { sessionId: string; kind: string }>(
    `SELECT session_id AS sessionId, kind FROM turns WHERE id = ? AND school_id = ? AND owner_id = ? AND status = 'streaming'`,
  );
  const settle = db.prepare<SettledRow>(
    `UPDATE turns SET status = @status, settled_at = @now, terminal_name = @terminalName, terminal_data = @terminalData,
       retryable = @retryable, provider = @provider, model = @model, input_tokens = @inputTokens,
       output_tokens = @outputTokens, token_lengths = @tokenLengths, text = @text
     WHERE id = @turnId AND school_id = @schoolId AND owner_id = @userId`,
  );
  const insertTrace = db.prepare<[string, string, string, string, string]>(
    'INSERT INTO traces (turn_id, school_id, owner_id, session_id, trace) VALUES (?, ?, ?, ?, ?)',
  );

  return ({ turnId, owner, status, reply, change, settled, usage, spends, jobs, project, trace, now }) => {
    const turn = live.get(turnId, owner.schoolId, owner.userId);
    if (!turn) return 'fenced';
    const { sessionId, kind } = turn;
    if (change && (change.sessionId !== sessionId || !changeSession(owner, change))) return 'conflict';
    if (reply) writeExchange({ ...reply, owner, sessionId, turnId, createdAt: now });
    // Nobody is ever sent a withdrawn reply again, so its text is not kept here whatever the caller says;
    // how many tokens there were says where its end stands.
    const isWithdrawn = status === 'redacted';
    settle.run({
      turnId,
      schoolId: owner.schoolId,
      userId: owner.userId,
      status,
      now,
      provider: usage.provider,
      model: usage.model,
      inputTokens: usage.inputTokens,
      outputTokens: usage.outputTokens,
      terminalName: settled.terminal.name,
      terminalData: settled.terminal.data,
      retryable: settled.retryable ? 1 : 0,
      tokenLengths: packLengths(isWithdrawn ? settled.tokenLengths.map(() => 0) : settled.tokenLengths),
      text: isWithdrawn ? '' : keptText(settled.text),
    });
    insertTrace.run(turnId, owner.schoolId, owner.userId, sessionId, trace);
    if (kind === 'conversation') touch(owner, sessionId, now);
    rates.spend(spends);
    for (const job of jobs) putJob(job);
    if (project?.workflow) saveWorkflow(owner, project.projectId, project.workflow);
    for (const item of project?.items ?? []) putItem(owner, item);
    return 'settled';
  };
}
