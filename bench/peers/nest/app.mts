// NestJS on Fastify: controllers with decorators; its ValidationPipe with class-validator validates requests.
import 'reflect-metadata';
import accepts from '@fastify/accepts';
import {
  Body,
  Controller,
  Get,
  HttpCode,
  Injectable,
  Module,
  NotAcceptableException,
  Param,
  Post,
  UseGuards,
  ValidationPipe,
  type CanActivate,
  type ExecutionContext,
  type Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { IsBoolean, IsInt, IsNumber, IsString, Length, Matches, Max, MaxLength, Min } from 'class-validator';

const sample = new URL('../../../sample/', import.meta.url);
const { serviceCount, thing } = await import(new URL('things.mjs', sample).href);
const { receipt } = await import(new URL('order.mjs', sample).href);
const { announce } = await import(new URL('../peers/listen.mjs', sample).href);

@Injectable()
class JsonOnly implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<{ type(types: string[]): string | false }>();
    if (request.type(['application/json']) === false) throw new NotAcceptableException();
    return true;
  }
}

class Order {
  @IsString() @Length(1, 80) customer!: string;
  @IsString() @Matches(/^[^@\s]+@[^@\s]+$/) @MaxLength(120) email!: string;
  @IsString() @Length(1, 120) street!: string;
  @IsString() @Length(1, 80) city!: string;
  @IsString() @Matches(/^[0-9A-Z -]{3,10}$/) postcode!: string;
  @IsString() @Matches(/^[A-Z]{2}$/) country!: string;
  @IsInt() @Min(1) @Max(100) quantity!: number;
  @IsNumber() @Min(0) price!: number;
  @IsBoolean() gift!: boolean;
  @IsString() @MaxLength(1000) note!: string;
}

function thingsController(at: number): Type<unknown> {
  @Controller(`things-${at}`)
  @UseGuards(JsonOnly)
  class ThingsController {
    @Get(':thing_id')
    show(@Param('thing_id') id: string): unknown {
      return thing(id);
    }
  }
  return ThingsController;
}

@Controller('orders')
@UseGuards(JsonOnly)
class OrdersController {
  @Post()
  @HttpCode(200)
  take(@Body() order: Order): unknown {
    return receipt(order);
  }
}

const things = Array.from({ length: serviceCount }, (_, at) => thingsController(at));

@Module({ controllers: [...things, OrdersController] })
class App {}

const app = await NestFactory.create<NestFastifyApplication>(App, new FastifyAdapter(), { logger: false });
await app.register(accepts);
app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true }));
await app.listen(0, '127.0.0.1');
const { port } = new URL(await app.getUrl());
announce(Number(port));
