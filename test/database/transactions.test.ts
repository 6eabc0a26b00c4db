import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Transactions } from '../../src/database/transactions.js';
import { Region } from '../../src/markers/region.entity.js';
import { onPostgres } from '../support/database.js';
import { Service } from '../support/service.js';

describe('Transactions', () => {
  let service: Service;
  let transactions: Transactions;

  beforeAll(async () => {
    service = await Service.start();
    transactions = service.get(Transactions);
  });
  afterAll(() => service.stop());

  const region = (name: string): Region =>
    Object.assign(new Region(), {
      id: `reg_${name}`,
      name,
      west: 0,
      south: 0,
      east: 1,
      north: 1,
      createdAt: new Date(),
    });
  const names = async (): Promise<string[]> => (await service.database.find(Region)).map(({ name }) => name).sort();

  it('that throw neither undo nor leak into others that run at the same moment', async () => {
    const work = Array.from({ length: 40 }, (_, at) =>
      transactions.run(async (tx) => {
        await tx.insert(Region, region(`${at}a`));
        await tx.findBy(Region, {});
        await tx.insert(Region, region(`${at}b`));
        if (at % 3 === 0) throw new Error('Changed its mind.');
      }),
    );
    const settled = await Promise.allSettled(work);
    const kept = settled.flatMap(({ status }, at) => (status === 'fulfilled' ? [`${at}a`, `${at}b`] : []));
    expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(14);
    expect(await names()).toEqual(kept.sort());
  });

  it('are not seen by readers before they are whole', async () => {
    const before = await names();
    let within: string[] = [];
    await transactions.run(async (tx) => {
      await tx.insert(Region, region('half'));
      within = await names();
    });
    expect(within).toEqual(before);
    expect(await names()).toEqual([...before, 'half'].sort());
  });

  it('go on after one whose statement the database refuses', async () => {
    await expect(transactions.run((tx) => tx.insert(Region, region('half')))).rejects.toThrow(/unique|UNIQUE/);
    await transactions.run((tx) => tx.insert(Region, region('next')));
    expect(await names()).toContain('next');
  });

  if (onPostgres) return;

  it('are the only way to write on SQLite: a repository cannot', async () => {
    const writing = service.get(DataSource).manager.insert(Region, region('past the queue'));
    await expect(writing).rejects.toThrow(/readonly database/);
  });
});
